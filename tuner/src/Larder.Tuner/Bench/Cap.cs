using System.Globalization;
using System.Text.Json.Nodes;

namespace Larder.Tuner.Bench;

/// <summary>The concurrency limit of the client for a rung: a number, off, or the default of the configuration.</summary>
internal readonly record struct Cap(CapKind Kind, int Limit = 0)
{
    /// <summary>Parses <c>N</c>, <c>off</c> or <c>default</c>.</summary>
    /// <exception cref="FormatException">The text is invalid.</exception>
    public static Cap Parse(string text) => text switch
    {
        "off" => new(CapKind.Off),
        "default" => new(CapKind.Default),
        _ when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int limit) && limit > 0 => new(CapKind.Number, limit),
        _ => throw new FormatException($"a concurrency limit must be a number above 0, off or default, but is \"{text}\""),
    };

    /// <summary>Returns the value for <c>maxInFlight</c> in an agent's <c>open</c> request, or null for the configuration's default.</summary>
    public JsonNode? ToJson() => Kind switch
    {
        CapKind.Off => "off",
        CapKind.Number => Limit,
        _ => null,
    };

    /// <inheritdoc/>
    public override string ToString() => Kind switch
    {
        CapKind.Off => "off",
        CapKind.Number => Limit.ToString(CultureInfo.InvariantCulture),
        _ => "default",
    };
}

internal enum CapKind
{
    /// <summary>The default limit of the configuration.</summary>
    Default,

    /// <summary>A fixed limit.</summary>
    Number,

    /// <summary>No limit.</summary>
    Off,
}
