using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Larder.Conformance.Tests.Configuration;

/// <summary>A row of the first table of protocol/spec/configuration.md: one setting.</summary>
internal sealed partial record SettingRow(string Name, IReadOnlyList<string> Written, string Range, string Default)
{
    private static readonly Dictionary<string, string> References = new() { ["the deadline"] = "requestTimeoutMs", ["the first delay"] = "initialBackOffMs" };

    private const string Missing = "–";

    /// <summary>Gets the setting's name in the line that an agent prints: the name in Node, or in .NET if Node's client lacks the setting.</summary>
    public string Node => Written[2] != Missing ? Written[2] : char.ToLowerInvariant(Written[0][0]) + Written[0][1..];

    /// <summary>Gets whether the setting can be "none".</summary>
    public bool MayBeNone => Range.EndsWith(", or none", StringComparison.Ordinal);

    /// <summary>Gets the range of a numeric setting; null for other settings. Each end is a value or the name of another setting.</summary>
    public (string Least, string Most)? Ends => Number().Match(Range) is { Success: true } match ? (match.Groups[1].Value, match.Groups[2].Value) : null;

    /// <summary>Gets whether the setting is an integer.</summary>
    public bool IsWhole => Ends is not null && !Node.EndsWith("Ms", StringComparison.Ordinal) && !Default.Contains('.');

    /// <summary>Gets the allowed values if the range is a list of values.</summary>
    public IEnumerable<JsonNode> Choices => Range.Split(", ") is var choices && choices.Contains(Default) ? choices.Select(Read) : [];

    public static SettingRow Of(IReadOnlyList<string> row) => new(row[0], [.. row.Skip(1).Take(3)], row[4], row[5]);

    /// <summary>Returns whether the given row of the second table is about this setting.</summary>
    public bool IsCalled(string row) => row == Node || Name.StartsWith(row, StringComparison.Ordinal);

    /// <summary>Returns whether a client has the setting.</summary>
    public bool IsOf(string client) => WrittenBy(client) != Missing;

    /// <summary>Returns the setting's name in a client's language.</summary>
    public string WrittenBy(string client) => Written[ConfigurationPage.Clients.ToList().IndexOf(client)];

    /// <summary>Returns the setting that an end of a range refers to, or null if the end is a value.</summary>
    public static string? Referred(string end) => References.GetValueOrDefault(end);

    /// <summary>Converts a value of the page to an agent's format.</summary>
    public JsonNode Read(string text) => text switch
    {
        "none" => "off",
        "empty" => new JsonObject(),
        "true" or "false" => bool.Parse(text),
        _ when char.IsAsciiDigit(text[0]) => NumberOf(text),
        _ => text,
    };

    /// <summary>Parses a number. Times are converted to milliseconds.</summary>
    public static decimal NumberOf(string text)
    {
        string[] words = text.Split(' ');
        decimal scale = words.ElementAtOrDefault(1) switch
        {
            null or "ms" => 1,
            "s" => 1_000,
            "min" => 60_000,
            "h" => 3_600_000,
            string unit => throw new InvalidDataException($"{unit} is no unit"),
        };
        return decimal.Parse(words[0], NumberStyles.Number, CultureInfo.InvariantCulture) * scale;
    }

    [GeneratedRegex("^(the [a-z ]+?|[0-9].*?) to (the [a-z ]+?|[0-9].*?)(, or none)?$")]
    private static partial Regex Number();
}
