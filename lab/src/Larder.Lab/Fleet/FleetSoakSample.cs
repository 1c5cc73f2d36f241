namespace Larder.Lab.Fleet;

/// <summary>What the first front held at a moment of a soak.</summary>
internal sealed record FleetSoakSample(TimeSpan At, long ResidentBytes, int Descriptors, long Streams, long Outstanding, long Waiting);
