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
                "--store" or "--otlp" when values.Count > 0 && HideSecrets(values[0]) is { } hidden && hidden != values[0] => $"# {key} = {Quoted(hidden)}",
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

    /// <summary>
    /// Replaces the parts of a URL that may be secret by <c>***</c>: the password, a user without a password, and the query. The URL may be invalid.
    /// </summary>
    public static string HideSecrets(string url)
    {
        int start = url.IndexOf("://", StringComparison.Ordinal) + 3;
        int at = url.LastIndexOf('@');
        int query = url.IndexOf('?', StringComparison.Ordinal);
        if (start < 3 || (query >= 0 && query < at))
        {
            return at < 0 && query < 0 ? url : Hidden;
        }

        int colon = at < 0 ? -1 : url.IndexOf(':', start, at - start);
        string before = at < 0 ? url[..start] : colon < 0 ? $"{url[..start]}{Hidden}@" : $"{url[..(colon + 1)]}{Hidden}@";
        string after = url[(at < 0 ? start : at + 1)..];
        return before + (query < 0 ? after : $"{after[..after.IndexOf('?', StringComparison.Ordinal)]}?{Hidden}");
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

    private static string TextOf(object value) =>
        value is Enum name ? name.ToString().ToLowerInvariant() : Convert.ToString(value, CultureInfo.InvariantCulture)!;

    private static string Toml(Option option, IReadOnlyList<string> values) =>
        option.Arity.MaximumNumberOfValues > 1 ? $"[{string.Join(", ", values.Select(Quoted))}]"
        : option.ValueType == typeof(bool)
            || (option.ValueType != typeof(string) && long.TryParse(values[0], NumberStyles.None, CultureInfo.InvariantCulture, out _))
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
