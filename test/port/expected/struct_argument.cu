// A struct by value, with pointers in it.
struct Particles {
  float *position, *velocity;
  int count;
};

__global__ void move(Particles particles, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < particles.count)
    particles.position[i] += dt * particles.velocity[i];
}

void run(const Particles &particles, float dt) {
  move<<<(particles.count + 255) / 256, 256>>>(particles, dt);
}
