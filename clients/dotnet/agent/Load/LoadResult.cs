namespace Larder.Agent;

/// <summary>The measurements of a load run. See <c>conformance/AGENT.md</c>, "Counting".</summary>
internal sealed record LoadResult(
    LoadSettings Settings,
    TimeSpan Measured,
    LoadSamples Samples,
    LoadHistogram? Wire,
    long Unstarted,
    double BytesAllocatedPerCall,
    double ClientCpuSeconds,
    double LagP50Us,
    double LagP99Us,
    double LagMaxUs,
    IReadOnlyList<LoadSlice>? Slices);
