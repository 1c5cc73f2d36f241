using System.CommandLine;
using System.Security.Cryptography.X509Certificates;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The options for the server and the cache, and the client that they specify.</summary>
internal sealed class Connection(Clients clients)
{
    public const string TokenVariable = "LARDER_TOKEN";

    /// <summary>The name of the environment variable with the path of a file whose first line is the token. The container image sets it.</summary>
    private const string TokenFileVariable = "LARDER_TOKEN_FILE";

    // The maximum number of characters that are read from the file. The server accepts tokens of at most 4,096 characters.
    private const int MaxTokenFileChars = 8 * 1024;

    private readonly ServerOption _server = new();
    private readonly Option<string> _cache = new("--cache") { Description = "Name of the cache", DefaultValueFactory = _ => "cache" };
    private readonly Option<string?> _token = new("--token")
    {
        Description = $"Token (default: the token in the address, otherwise {TokenVariable}, otherwise the first line of the file {TokenFileVariable})",
    };

    private readonly AuthoritiesOption _authorities = new();
    private readonly IdentityOptions _identity = new();
    private readonly Option<int> _timeout = new("--timeout-ms")
    {
        Description = "Deadline of the call in milliseconds",
        DefaultValueFactory = _ => 5_000,
        CustomParser = Number.Milliseconds,
    };

    /// <summary>Adds the options to a command. The options for the cache are added only if the command needs a cache.</summary>
    public void AddTo(Command command, bool withCache = true)
    {
        _server.AddTo(command);
        if (withCache)
        {
            command.Add(_cache);
        }

        command.Add(_token);
        _authorities.AddTo(command);
        _identity.AddTo(command);
        command.Add(_timeout);
    }

    /// <summary>Runs a command's work with a client, and returns the exit code. Prints errors to standard error.</summary>
    /// <param name="parsed">The parsed command.</param>
    /// <param name="work">The work of the command. It receives the client and the cache as arguments.</param>
    /// <param name="transport">The transport. The default is unary, because for a single call the time to open a stream exceeds the time that it saves.</param>
    public async Task<int> RunAsync(ParseResult parsed, Func<CacheClient, Cache, Task<int>> work, Transport transport = Transport.Unary)
    {
        try
        {
            string server = _server.Of(parsed);
            string? given = parsed.GetValue(_token);
            CredentialProvider credentials = _identity.Apply(parsed, Credentials(_server.Parse(parsed), given, _authorities.Read(parsed)));
            var timeout = TimeSpan.FromMilliseconds(parsed.GetValue(_timeout));
            ClientKey key = new(server, given ?? "", (_authorities.FileOf(parsed) ?? "") + _identity.TextOf(parsed), transport, timeout);
            (CacheClient? client, CacheError? failure) = await clients.OpenAsync(key, credentials).ConfigureAwait(false);
            return client is null ? Output.Fail(failure!) : await work(client, client.Cache(parsed.GetValue(_cache) ?? "")).ConfigureAwait(false);
        }
        catch (ArgumentException exception)
        {
            return Output.Refuse([exception.Message]);
        }
    }

    private static CredentialProvider Credentials(CredentialProvider server, string? given, X509Certificate2Collection? authorities)
    {
        string? token = given ?? (server.HasToken ? null : TokenOfEnvironment());
        CredentialProvider credentials = string.IsNullOrEmpty(token) && given is null ? server : server.WithToken(token ?? "");
        return authorities is null ? credentials : credentials.Trusting(authorities);
    }

    private static string? TokenOfEnvironment()
    {
        if (Environment.GetEnvironmentVariable(TokenVariable) is { Length: > 0 } token)
        {
            return token;
        }

        return Environment.GetEnvironmentVariable(TokenFileVariable) is { Length: > 0 } file ? FirstLine(file) : null;
    }

    private static string FirstLine(string file)
    {
        char[] text = new char[MaxTokenFileChars];
        int length;
        try
        {
            using StreamReader reader = new(file);
            length = reader.ReadBlock(text);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"{TokenFileVariable}: cannot read the token file: {error.Message} Correct the path, or pass --token.", error);
        }

        string line = new string(text, 0, length).Split('\n')[0].Trim();
        return line.Length > 0 ? line : throw new ArgumentException($"{TokenFileVariable}: the first line of {file} is empty; it must be the token");
    }
}
