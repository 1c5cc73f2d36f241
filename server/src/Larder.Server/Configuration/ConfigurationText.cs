using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Text;

namespace Larder.Server.Configuration;

/// <summary>
/// Formats the effective configuration as TOML, with the source of each setting as a comment. The text is itself a valid configuration file. Settings without a
/// value are comments. Settings that contain a secret are also comments, and the secret is replaced by <c>***</c>.
/// </summary>
internal static class ConfigurationText
{
    private const string Hidden = "***";
    private const int SourceColumn = 48;

    /// <summary>Formats the settings as a configuration file.</summary>
    /// <param name="parsed">The parsed arguments, including those of the settings.</param>
    /// <param name="options">The options to print, in order.</param>
    /// <param name="sources">The source of each option that is set.</param>
    /// <param name="effective">The options of the server, which contain computed defaults.</param>
    public static string Format(
        ParseResult parsed,
        IReadOnlyList<Option> options,
        IReadOnlyDictionary<Option, string> sources,
        ServerOptions effective)
    {
        StringBuilder text = new();
        foreach (Option option in options)
        {
            string key = option.Name.TrimStart('-');
            string source = sources.GetValueOrDefault(option, "default");
            IReadOnlyList<string> values = ValuesOf(parsed, option, effective);
            string line = option.Name switch
            {
                "--token" when values.Count > 0 => $"# {key} = \"{Hidden}\"",
                "--store" when HidePassword(values[0]) is { } hidden && hidden != values[0] => $"# {key} = {Quoted(hidden)}",
                _ when values.Count == 0 => $"# {key} is not set",
                _ => $"{key} = {Toml(option, values)}",
            };
            text.Append(values.Count == 0 ? line : $"{line.PadRight(SourceColumn)} # {source}").Append('\n');
        }

        foreach ((string key, string variable, string? value) in new[]
        {
            ("console-token", ServeOptions.ConsoleTokenVariable, effective.ConsoleToken),
            ("console-admin-token", ServeOptions.ConsoleAdminTokenVariable, effective.ConsoleAdminToken),
        })
        {
            if (value is not null)
            {
                text.Append($"# {key} = \"{Hidden}\"".PadRight(SourceColumn)).Append(CultureInfo.InvariantCulture, $" # {variable}").Append('\n');
            }
        }

        return text.ToString();
    }

    /// <summary>Replaces the password in a URL by <c>***</c>.</summary>
    public static string HidePassword(string url)
    {
        int start = url.IndexOf("://", StringComparison.Ordinal) + 3;
        int at = url.LastIndexOf('@');
        int colon = at > start && start > 2 ? url.IndexOf(':', start, at - start) : -1;
        return colon < 0 ? url : $"{url[..(colon + 1)]}{Hidden}{url[at..]}";
    }

    private static IReadOnlyList<string> ValuesOf(ParseResult parsed, Option option, ServerOptions effective)
    {
        if (parsed.GetResult(option) is { Implicit: false } given)
        {
            return given.Tokens is [] ? ["true"] : [.. given.Tokens.Select(static token => token.Value)];
        }

        return option.Name switch
        {
            "--console-port" => [effective.ConsolePort.ToString(CultureInfo.InvariantCulture)],
            "--memory" => [effective.MemoryBytes.ToString(CultureInfo.InvariantCulture)],
            "--store" => [effective.Store],
            _ when option.ValueType == typeof(bool) => ["false"],
            _ => option.HasDefaultValue && option.GetDefaultValue() is { } value ? [TextOf(value)] : [],
        };
    }

    private static string TextOf(object value) => value is Enum name ? name.ToString().ToLowerInvariant() : Convert.ToString(value, CultureInfo.InvariantCulture)!;

    private static string Toml(Option option, IReadOnlyList<string> values) =>
        option.Arity.MaximumNumberOfValues > 1 ? $"[{string.Join(", ", values.Select(Quoted))}]"
        : option.ValueType == typeof(bool) || (long.TryParse(values[0], NumberStyles.None, CultureInfo.InvariantCulture, out _) && option.ValueType != typeof(string))
            ? values[0].ToLowerInvariant()
            : Quoted(values[0]);

    private static string Quoted(string value)
    {
        StringBuilder text = new("\"");
        foreach (char each in value)
        {
            _ = each switch
            {
                '"' or '\\' => text.Append('\\').Append(each),
                < ' ' or '\u007f' => text.Append(CultureInfo.InvariantCulture, $"\\u{(int)each:X4}"),
                _ => text.Append(each),
            };
        }

        return text.Append('"').ToString();
    }
}
