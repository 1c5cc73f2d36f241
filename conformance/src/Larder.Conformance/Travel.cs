using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>A way in which an agent's client travels: a transport, or one stream with a near cache.</summary>
internal static class Travel
{
    public const string Unary = "unary", Pipeline = "pipeline", Near = "near";

    // More than the vectors hold, so that what is kept stays.
    private const long NearBytes = 64 << 20;

    /// <summary>The transport of it.</summary>
    public static string TransportOf(string travel) => travel == Near ? Pipeline : travel;

    /// <summary>Writes it into what an agent is opened with.</summary>
    public static void Set(JsonObject open, string travel)
    {
        open["transport"] = TransportOf(travel);
        if (travel == Near)
        {
            open["nearCacheBytes"] = NearBytes;
        }
    }
}
