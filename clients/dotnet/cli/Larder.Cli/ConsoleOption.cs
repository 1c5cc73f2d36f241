using System.CommandLine;
using System.Globalization;

namespace Larder.Cli;

/// <summary>Where a server's console is: as told, or one port above the server's data, where both stand unless told otherwise.</summary>
internal sealed class ConsoleOption
{
    public const string Variable = "LARDER_CONSOLE";

    private const string Name = "--console";

    private readonly ServerOption _server = new();
    private readonly Option<string?> _console = new(Name)
    {
        Description = $"host:port of the server's console, as its start line says (default: {Variable}, otherwise the server's host and its port + 1)",
        HelpName = "host:port",
    };

    public void AddTo(Command command)
    {
        _server.AddTo(command);
        command.Add(_console);
    }

    /// <summary>The address of a page of the console.</summary>
    /// <exception cref="ArgumentException">What was given is no address.</exception>
    public Uri PageOf(ParseResult parsed, string page)
    {
        string? given = parsed.GetValue(_console) ?? Environment.GetEnvironmentVariable(Variable);
        string console = string.IsNullOrWhiteSpace(given) ? Beside(_server.Parse(parsed).Endpoint) : given;
        string full = console.Contains("://", StringComparison.Ordinal) ? console : "http://" + console;
        return Uri.TryCreate($"{full.TrimEnd('/')}/{page}", UriKind.Absolute, out Uri? address) && address.Scheme is "http" or "https"
            ? address
            : throw new ArgumentException($"{Name}: '{console}' is no host:port");
    }

    private static string Beside(Uri server) => string.Create(CultureInfo.InvariantCulture, $"{server.Host}:{server.Port + 1}");
}
