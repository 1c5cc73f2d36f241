using System.CommandLine;
using System.Globalization;
using System.Text;
using Larder.Server.Security;
using Tomlyn.Parsing;
using Tomlyn.Syntax;

namespace Larder.Server.Configuration;

/// <summary>
/// Reads the configuration file of <c>larder serve</c>: TOML in which each key is the name of an option without <c>--</c>. Paths are relative to the folder of
/// the file. Error messages never contain a value from the file, because it may be a secret.
/// </summary>
internal static class ConfigurationFile
{
    /// <summary>The command-line option that sets the path of the file.</summary>
    public const string PathOption = "--config";

    private const int MaxBytes = 1 << 20;

    /// <summary>Reads the settings of a file, in the order of the file.</summary>
    /// <param name="path">The path of the file, as the user passed it.</param>
    /// <param name="options">The options that a file may set, by key.</param>
    /// <param name="paths">The options whose values are paths.</param>
    /// <exception cref="ServerOptionsException">The file cannot be read, is not valid TOML, or contains a key that is not an option.</exception>
    public static IReadOnlyList<Setting> Read(string path, IReadOnlyDictionary<string, Option> options, IReadOnlySet<Option> paths)
    {
        DocumentSyntax document = SyntaxParser.Parse(TextOf(path), path, validate: false);
        foreach (DiagnosticMessage fault in document.Diagnostics)
        {
            TextPosition at = fault.Span.Start;
            throw new ServerOptionsException(
                $"{path}:{at.Line + 1}: not valid TOML at column {at.Column + 1}; write each setting on its own line, and put strings in quotes, for example "
                    + "memory = \"4g\"");
        }

        foreach (TableSyntaxBase table in document.Tables)
        {
            throw new ServerOptionsException($"{path}:{LineOf(table)}: tables such as [server] are not supported; remove this line");
        }

        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        Dictionary<string, Setting> settings = [];
        foreach (KeyValueSyntax line in document.KeyValues)
        {
            string source = $"{path}:{LineOf(line)}";
            string key = KeyOf(line.Key!);
            Option option = options.GetValueOrDefault(key) ?? throw Unknown(key, source, options);
            IReadOnlyList<string> values = ValuesOf(option, key, line.Value!, source);
            if (paths.Contains(option))
            {
                values = [.. values.Select(value => value.Length == 0 ? value : Path.GetFullPath(value, folder))];
            }

            if (!settings.TryAdd(key, new Setting(option, values, source)))
            {
                throw new ServerOptionsException($"{source}: '{key}' is set a second time; remove one of the two lines");
            }
        }

        return [.. settings.Values];
    }

    private static string TextOf(string path)
    {
        byte[] bytes = PrivateFile.Read(PathOption, path, MaxBytes, "is larger than 1 MiB");
        try
        {
            return new UTF8Encoding(false, throwOnInvalidBytes: true).GetString(bytes.AsSpan().StartsWith("\uFEFF"u8) ? bytes.AsSpan(3) : bytes);
        }
        catch (DecoderFallbackException error)
        {
            throw new ServerOptionsException($"{PathOption} {path} is not a text file in UTF-8", error);
        }
    }

    // The parser counts lines from 0.
    private static int LineOf(SyntaxNode node) => node.Span.Start.Line + 1;

    private static string KeyOf(KeySyntax key) =>
        key.DotKeys.ChildrenCount == 0 && key.Key is StringValueSyntax quoted ? quoted.Value! : key.ToString()!.Trim();

    private static ServerOptionsException Unknown(string key, string source, IReadOnlyDictionary<string, Option> options) => new(
        key == "token"
            ? $"{source}: the token cannot be set in this file; write it to a file that only the server's user can read, and set token-file"
            : options.ContainsKey(key.Replace('_', '-').TrimStart('-'))
                ? $"{source}: unknown key '{key}'; write {key.Replace('_', '-').TrimStart('-')}"
                : $"{source}: unknown key '{key}'; the keys are the options of 'larder serve' without --, and 'larder serve --help' lists them");

    private static IReadOnlyList<string> ValuesOf(Option option, string key, ValueSyntax value, string source)
    {
        bool isRepeatable = option.Arity.MaximumNumberOfValues > 1;
        return value switch
        {
            ArraySyntax array when isRepeatable => [.. array.Items.Select(item => Scalar(item.Value!) ?? throw Wrong())],
            _ => [Scalar(value) ?? throw Wrong()],
        };

        ServerOptionsException Wrong() => new(
            isRepeatable
                ? $"{source}: '{key}' must be a string in quotes, or a list of strings such as [\"a\", \"b\"]"
                : $"{source}: '{key}' must be a string in quotes, a whole number, true or false");
    }

    private static string? Scalar(ValueSyntax value) => value switch
    {
        StringValueSyntax text => text.Value,
        IntegerValueSyntax number => number.Value.ToString(CultureInfo.InvariantCulture),
        BooleanValueSyntax flag => flag.Value ? "true" : "false",
        _ => null,
    };
}
