using System.Text.Json.Nodes;

namespace Larder.Lab.Near;

/// <summary>A client's near cache statistics (conformance/AGENT.md, <c>stats</c>). All values are 0 if the client has no near cache.</summary>
internal sealed record NearFigures(long Hits, long Kept, long Invalidations, long Clears, long Poisoned, long Evictions, long Copies)
{
    /// <summary>Parses the field <c>near</c> of the response to <c>stats</c>.</summary>
    public static NearFigures From(JsonNode? near)
    {
        long Of(string name) => (long?)near?[name] ?? 0;
        return new NearFigures(Of("hits"), Of("kept"), Of("invalidations"), Of("clears"), Of("poisoned"), Of("evictions"), Of("copies"));
    }
}
