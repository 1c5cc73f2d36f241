using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Larder.Conformance.Tests.Configuration;

/// <summary>
/// The tables of protocol/spec/configuration.md. The values have the format of conformance/AGENT.md: times are in milliseconds, and "none" is "off".
/// </summary>
internal sealed partial class ConfigurationPage
{
    /// <summary>The clients, in the order of the page's columns.</summary>
    public static readonly IReadOnlyList<string> Clients = ["dotnet", "python", "node"];

    private readonly IReadOnlyList<string> _names;
    private readonly IReadOnlyList<IReadOnlyList<string>> _rows;

    public ConfigurationPage(string text)
    {
        List<List<IReadOnlyList<string>>> tables = TablesOf(text);
        NamesRefused =
        [
            .. Names()
                .Matches(text[text.IndexOf("A header's name", StringComparison.Ordinal)..text.IndexOf("## Pre-built", StringComparison.Ordinal)])
                .Select(name => name.Groups[1].Value),
        ];
        Settings = [.. tables[0].Skip(1).Select(SettingRow.Of)];
        NearCache = [.. tables[2].Skip(1).Select(SettingRow.Of)];
        _names = [.. tables[1][0].Skip(1)];
        _rows = [.. tables[1].Skip(1)];
    }

    /// <summary>Gets the first table's rows.</summary>
    public IReadOnlyList<SettingRow> Settings { get; }

    /// <summary>Gets the third table's rows, which describe the settings of a near cache.</summary>
    public IReadOnlyList<SettingRow> NearCache { get; }

    /// <summary>Gets the header names that the clients reject.</summary>
    public IReadOnlyList<string> NamesRefused { get; }

    /// <summary>Gets the names of the pre-built configurations, as agents report them.</summary>
    public IEnumerable<string> Configurations =>
        _names.Select(name => string.Join('.', name.Split('.').Select(part => char.ToLowerInvariant(part[0]) + part[1..])) + ".v1");

    /// <summary>Returns every setting of a client's pre-built configuration.</summary>
    public JsonObject ValuesOf(string configuration, string client) => new(Settings
        .Where(setting => setting.IsOf(client))
        .Select(setting => KeyValuePair.Create<string, JsonNode?>(
            setting.Node, setting.Read(CellOf(setting, configuration, client) ?? setting.Default))));

    // A cell contains one value for all clients, or three values, one for each client. Values are separated by a comma and a space, thousands by a comma alone.
    private string? CellOf(SettingRow setting, string configuration, string client)
    {
        IReadOnlyList<string>? row = _rows.SingleOrDefault(row => setting.IsCalled(row[0]));
        string[]? values = row?[1 + Configurations.ToList().IndexOf(configuration)].Split(", ");
        return values is { Length: > 1 } ? values[Clients.ToList().IndexOf(client)] : values?[0];
    }

    // Skips the table's separator line.
    private static List<List<IReadOnlyList<string>>> TablesOf(string text) => [.. Table().Matches(text).Select(table => RowsOf(table.Value))];

    private static List<IReadOnlyList<string>> RowsOf(string table) =>
        [.. table.Trim().Split('\n').Where(line => !line.StartsWith("|-", StringComparison.Ordinal)).Select(CellsOf)];

    private static IReadOnlyList<string> CellsOf(string line) => [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim().Trim('`'))];

    // Matches whole names that have at least two characters.
    [GeneratedRegex("`([a-z0-9-]{2,})`")]
    private static partial Regex Names();

    [GeneratedRegex(@"(^\|.*\n)+", RegexOptions.Multiline)]
    private static partial Regex Table();
}
