using System.Globalization;
using System.Text.Json.Nodes;

namespace Larder.Tuner.Bench;

/// <summary>The cap on requests in flight that a rung runs with: a number, off, or the configuration's own.</summary>
internal readonly record struct Cap(CapKind Kind, int Limit = 0)
{
    /// <summary>Reads <c>N</c>, <c>off</c> or <c>default</c>.</summary>
    /// <exception cref="FormatException">It is none of them.</exception>
    public static Cap Parse(string text) => text switch
    {
        "off" => new(CapKind.Off),
        "default" => new(CapKind.Default),
        _ when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int limit) && limit > 0 => new(CapKind.Number, limit),
        _ => throw new FormatException($"a cap is a number above 0, off, or default; not \"{text}\""),
    };

    /// <summary>The <c>maxInFlight</c> of an agent's <c>open</c>; null leaves it to the configuration.</summary>
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

/// <summary>Kinds of cap.</summary>
internal enum CapKind
{
    /// <summary>The configuration's own.</summary>
    Default,

    /// <summary>A number.</summary>
    Number,

    /// <summary>None.</summary>
    Off,
}
