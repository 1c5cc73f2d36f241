using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The options that say which server and cache, and the client made of them.</summary>
internal sealed class Connection
{
    private const string TokenVariable = "LARDER_TOKEN";

    private readonly Option<string?> _server = new("--server") { Description = $"host:port, or http[s]://[token@]host:port (default: {CredentialProvider.DefaultVariable}, otherwise 127.0.0.1:8080)" };
    private readonly Option<string> _cache = new("--cache") { Description = "Name of the cache", DefaultValueFactory = _ => "cache" };
    private readonly Option<string?> _token = new("--token") { Description = $"Token; better given by {TokenVariable}" };
    private readonly Option<int> _timeout = new("--timeout-ms") { Description = "Deadline of the call in milliseconds", DefaultValueFactory = _ => 5_000 };

    public void AddTo(Command command)
    {
        command.Add(_server);
        command.Add(_cache);
        command.Add(_token);
        command.Add(_timeout);
    }

    /// <summary>Runs a command's work with a client, and says on standard error what cannot be.</summary>
    public async Task<int> RunAsync(ParseResult parsed, Func<CacheClient, string, Task<int>> work)
    {
        try
        {
            Configuration configuration = Configurations.Laptop.Latest() with
            {
                // One call: a stream for many would be opened for nothing.
                Transport = Transport.Unary,
                Channels = 1,
                RequestTimeout = TimeSpan.FromMilliseconds(parsed.GetValue(_timeout)),
            };
            CacheClient client = new(configuration, Credentials(parsed), TimeSpan.FromHours(1));
            await using (client.ConfigureAwait(false))
            {
                return await work(client, parsed.GetValue(_cache)!).ConfigureAwait(false);
            }
        }
        catch (ArgumentException exception)
        {
            return Output.Fail(exception.Message);
        }
    }

    private CredentialProvider Credentials(ParseResult parsed)
    {
        string? token = parsed.GetValue(_token) ?? Environment.GetEnvironmentVariable(TokenVariable);
        string? server = parsed.GetValue(_server) ?? Environment.GetEnvironmentVariable(CredentialProvider.DefaultVariable);
        if (string.IsNullOrWhiteSpace(server))
        {
            return CredentialProvider.FromEndpoint("127.0.0.1", 8080, token);
        }

        CredentialProvider given = CredentialProvider.FromString(server.Contains("://", StringComparison.Ordinal) ? server : "http://" + server);
        return string.IsNullOrEmpty(token) ? given : CredentialProvider.FromEndpoint(given.Endpoint.Host, given.Endpoint.Port, token, given.IsSecure);
    }
}
