using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The option for the server's address. If it is not given, an environment variable or the default address applies.</summary>
internal sealed class ServerOption
{
    private const string Name = "--server";
    private const string Default = "127.0.0.1:8080";

    private readonly Option<string?> _server = new(Name)
    {
        Description = $"host[:port], or http[s]://[token@]host[:port] (default: {CredentialProvider.DefaultVariable}, otherwise {Default})",
    };

    public void AddTo(Command command) => command.Add(_server);

    /// <summary>Returns the address as it was given.</summary>
    public string Of(ParseResult parsed) =>
        parsed.GetValue(_server)
        ?? (Environment.GetEnvironmentVariable(CredentialProvider.DefaultVariable) is { } set && !string.IsNullOrWhiteSpace(set) ? set : Default);

    /// <summary>Parses the address.</summary>
    /// <exception cref="ArgumentException">The address is invalid. The message contains its source but no token.</exception>
    public CredentialProvider Parse(ParseResult parsed) => Parse(Of(parsed), parsed.GetValue(_server) is null ? CredentialProvider.DefaultVariable : Name);

    private static CredentialProvider Parse(string server, string given)
    {
        try
        {
            return CredentialProvider.FromString(server.Contains("://", StringComparison.Ordinal) ? server : "http://" + server);
        }
        catch (ArgumentException refused)
        {
            throw new ArgumentException($"{given}: {refused.Message}", refused);
        }
    }
}
