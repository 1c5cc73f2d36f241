namespace Larder.Lab.Soak;

/// <summary>What client and server held at a moment of a soak.</summary>
internal sealed record SoakSample(TimeSpan At, long ClientResidentBytes, long ClientManagedBytes, long? ServerResidentBytes, long? Connections);
