using System.Globalization;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>Formats the sampled calls of a console as lines.</summary>
/// <param name="cache">The cache whose calls are printed. If null, the calls of all caches are printed.</param>
/// <param name="asJson">Whether each line is a JSON object.</param>
/// <param name="count">The maximum number of lines.</param>
internal sealed class MonitorLines(string? cache, bool asJson, long count)
{
    private long _left = count;

    /// <summary>Gets the sequence number that the server gave to the last call that was read.</summary>
    public long Last { get; private set; }

    /// <summary>Gets whether more lines are needed to reach the maximum number.</summary>
    public bool AreWanted => _left > 0;

    /// <summary>Returns the lines for the calls in a response. The response must contain only calls after <see cref="Last"/>.</summary>
    public IEnumerable<string> Of(JsonElement answer)
    {
        // A restarted server numbers calls from 1 again. It returns no calls for a number from before its restart, so Last is reset.
        JsonElement calls = answer.GetProperty("calls");
        long newest = answer.GetProperty("newest").GetInt64();
        if (newest < Last)
        {
            Last = 0;
        }

        foreach (JsonElement call in calls.EnumerateArray())
        {
            Last = call.GetProperty("number").GetInt64();
            if (AreWanted && (cache is null || call.GetProperty("cache").GetString() == cache))
            {
                _left--;
                yield return asJson ? call.GetRawText() : Line(call);
            }
        }
    }

    private static string Line(JsonElement call)
    {
        byte[] key = call.GetProperty("key").GetBytesFromBase64();
        string more = call.GetProperty("keyBytes").GetInt32() > key.Length ? "…" : "";
        JsonElement took = call.GetProperty("tookUs");
        int weight = call.GetProperty("weight").GetInt32();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{call.GetProperty("at").GetDateTimeOffset().ToLocalTime():HH:mm:ss.fff} {TerminalText.OfText(call.GetProperty("cache").GetString()!)} "
                + $"{TerminalText.OfText(call.GetProperty("call").GetString()!)} {TerminalText.OfKey(key)}{more} "
                + $"{(took.ValueKind == JsonValueKind.Number ? $"{took.GetDouble():0.0} µs" : "-")}{(weight > 1 ? $" (1 of {weight})" : "")}");
    }
}
