using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The options that say which server and cache, and the client made of them.</summary>
internal sealed class Connection
{
    public const string TokenVariable = "LARDER_TOKEN";

    private const string ServerOption = "--server";

    private readonly Option<string?> _server = new(ServerOption)
    {
        Description = $"host[:port], or http[s]://[token@]host[:port] (default: {CredentialProvider.DefaultVariable}, otherwise 127.0.0.1:8080)",
    };
    private readonly Option<string> _cache = new("--cache") { Description = "Name of the cache", DefaultValueFactory = _ => "cache" };
    private readonly Option<string?> _token = new("--token") { Description = $"Token; otherwise the address's, otherwise {TokenVariable}" };
    private readonly Option<int> _timeout = new("--timeout-ms")
    {
        Description = "Deadline of the call in milliseconds",
        DefaultValueFactory = _ => 5_000,
        CustomParser = Number.Milliseconds,
    };

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
                // A program waits for a server that restarts; who types a command wants to know that none is there.
                return await client.ConnectAsync().ConfigureAwait(false) is PingResponse.Error error
                    ? Output.Fail(error)
                    : await work(client, parsed.GetValue(_cache)!).ConfigureAwait(false);
            }
        }
        catch (ArgumentException exception)
        {
            return Output.Refuse([exception.Message]);
        }
    }

    private CredentialProvider Credentials(ParseResult parsed)
    {
        CredentialProvider server = Server(parsed.GetValue(_server));
        string? token = parsed.GetValue(_token) ?? (server.HasToken ? null : Environment.GetEnvironmentVariable(TokenVariable));
        return token is null ? server : server.WithToken(token);
    }

    private static CredentialProvider Server(string? option)
    {
        string given = ServerOption;
        string? server = option;
        if (server is null)
        {
            given = CredentialProvider.DefaultVariable;
            server = Environment.GetEnvironmentVariable(given);
            if (string.IsNullOrWhiteSpace(server))
            {
                return CredentialProvider.Local();
            }
        }

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
