using System.Collections;
using System.CommandLine;
using System.CommandLine.Parsing;

namespace Larder.Server.Configuration;

/// <summary>
/// Combines the settings of a server from the command line, the environment variables and the configuration file. If several of them set the same option, the
/// first of these three is used.
/// </summary>
internal sealed class SettingSources
{
    private readonly IReadOnlyDictionary<string, string> _environment;
    private readonly ServeOptions _options;

    private readonly Option<string?> _file = new(ConfigurationFile.PathOption)
    {
        Description = "TOML file with settings; its keys are the options without --, for example memory = \"4g\"; the command line and the environment "
            + $"variables such as {EnvironmentSettings.Prefix}MEMORY=4g have priority over the file",
    };

    /// <param name="environment">The environment variables.</param>
    public SettingSources(IReadOnlyDictionary<string, string> environment)
    {
        _environment = environment;
        _options = new ServeOptions(environment);
    }

    /// <summary>Gets the options to add to a command that reads the settings.</summary>
    public IReadOnlyList<Option> All => [_file, .. _options.All];

    /// <summary>Returns the environment variables of this process.</summary>
    public static IReadOnlyDictionary<string, string> OfProcess() =>
        Environment.GetEnvironmentVariables().Cast<DictionaryEntry>().ToDictionary(static each => (string)each.Key, static each => (string?)each.Value ?? "");

    /// <summary>Combines the settings. The values are parsed, but not checked by <see cref="ServerOptions.Validate"/>.</summary>
    /// <param name="command">The command, which contains the options of <see cref="All"/>.</param>
    /// <param name="parsed">The parsed command line, without errors.</param>
    /// <exception cref="ServerOptionsException">A variable or the file is invalid. The message names the place.</exception>
    public EffectiveSettings Read(Command command, ParseResult parsed)
    {
        Dictionary<Option, string> sources = All.Where(option => parsed.GetResult(option) is { Implicit: false }).ToDictionary(
            static option => option,
            static option => option.Name);
        List<Setting> settings = [];
        Add(EnvironmentSettings.Read(_environment, All));
        string? path = settings.Find(setting => setting.Option == _file)?.Values[0] ?? parsed.GetValue(_file);
        if (path is not null)
        {
            Add(ConfigurationFile.Read(path, _options.Keys, _options.Paths));
        }

        if (settings.Count == 0)
        {
            return new EffectiveSettings(parsed, _options, sources);
        }

        IEnumerable<string> given = All.SelectMany(option => parsed.GetResult(option) is { Implicit: false } result ? Arguments(result) : []);
        ParseResult all = command.Parse([.. given, .. settings.SelectMany(static setting => setting.Arguments)]);
        return new EffectiveSettings(all, _options, sources);

        void Add(IEnumerable<Setting> more)
        {
            foreach (Setting setting in more)
            {
                // Each setting is parsed alone, so that an error can name its place.
                if (command.Parse([.. setting.Arguments]).Errors is [ParseError error, ..])
                {
                    throw new ServerOptionsException($"{setting.Source}: {error.Message}");
                }

                if (sources.TryAdd(setting.Option, setting.Source))
                {
                    settings.Add(setting);
                }
            }
        }
    }

    private static IEnumerable<string> Arguments(OptionResult given) =>
        given.Tokens is [] ? [given.Option.Name] : given.Tokens.SelectMany(token => Setting.ArgumentsOf(given.Option, token.Value));
}
