using System.CommandLine;

namespace Larder.Server.Configuration;

/// <summary>The settings of a server, from all sources.</summary>
/// <param name="parsed">The parsed arguments, including those of the settings.</param>
/// <param name="options">The options that set up the server.</param>
/// <param name="sources">The source of each option that is set.</param>
internal sealed class EffectiveSettings(ParseResult parsed, ServeOptions options, IReadOnlyDictionary<Option, string> sources)
{
    /// <summary>Gets the options of the server.</summary>
    public ServerOptions Options { get; } = options.Read(parsed);

    /// <summary>Checks the options. If an invalid one is not set on the command line, the message begins with its source.</summary>
    /// <exception cref="ServerOptionsException">An option is invalid.</exception>
    public void Validate()
    {
        try
        {
            Options.Validate();
        }
        catch (ServerOptionsException error)
        {
            string name = error.Message.Split(' ', ',')[0];
            string? source = sources.FirstOrDefault(each => each.Key.Name == name && each.Value != name).Value;
            throw source is null ? error : new ServerOptionsException($"{source}: {error.Message}", error);
        }
    }

    /// <summary>Returns the settings as a configuration file; see <see cref="ConfigurationText"/>.</summary>
    public override string ToString() => ConfigurationText.Format(parsed, options.All, sources, Options);
}
