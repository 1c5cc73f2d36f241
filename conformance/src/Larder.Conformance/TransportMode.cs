using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>How an agent's client sends its calls: a transport, or the pipeline with a near cache.</summary>
internal static class TransportMode
{
    public const string Unary = "unary", Pipeline = "pipeline", Near = "near";

    // The size of the near cache. All keys of the vectors fit into the near cache, so that nothing is evicted.
    private const long NearBytes = 64 << 20;

    /// <summary>Returns the transport of a mode, without the near cache.</summary>
    public static string TransportOf(string travel) => travel == Near ? Pipeline : travel;

    /// <summary>Sets the fields of an agent's open request that select this mode.</summary>
    public static void Set(JsonObject open, string travel)
    {
        open["transport"] = TransportOf(travel);
        if (travel == Near)
        {
            open["nearCacheBytes"] = NearBytes;
        }
    }
}
