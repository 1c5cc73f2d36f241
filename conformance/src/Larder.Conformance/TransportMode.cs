using System.Globalization;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>
/// How an agent's client sends its calls: a transport, or the pipeline with a near cache. The pipeline's modes may end with a number of connections, such as
/// <c>near-2</c>.
/// </summary>
internal static class TransportMode
{
    public const string Unary = "unary", Pipeline = "pipeline", Near = "near";

    // The size of the near cache. All keys of the vectors fit into the near cache, so that nothing is evicted.
    private const long NearBytes = 64 << 20;

    /// <summary>Returns whether a mode is known.</summary>
    public static bool IsValid(string travel) => travel.Split('-') is [Unary or Pipeline or Near] ||
        (travel.Split('-') is [Pipeline or Near, var connections] && int.TryParse(connections, NumberStyles.None, CultureInfo.InvariantCulture, out _));

    /// <summary>Returns the transport of a mode, without the near cache and the number of connections.</summary>
    public static string TransportOf(string travel) => travel.Split('-')[0] is var name && name == Near ? Pipeline : name;

    /// <summary>Sets the fields of an agent's open request that select this mode.</summary>
    public static void Set(JsonObject open, string travel)
    {
        open["transport"] = TransportOf(travel);
        string[] parts = travel.Split('-');
        if (parts[0] == Near)
        {
            open["nearCacheBytes"] = NearBytes;
        }

        if (parts.Length > 1)
        {
            open["pipelineConnections"] = int.Parse(parts[1], CultureInfo.InvariantCulture);
        }
    }
}
