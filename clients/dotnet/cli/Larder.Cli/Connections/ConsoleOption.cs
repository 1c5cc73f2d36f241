using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Cli;

/// <summary>Where a server's console is: as told, or one port above the server's data, where both stand unless told otherwise.</summary>
internal sealed class ConsoleOption
{
    public const string Variable = "LARDER_CONSOLE";

    private const string Name = "--console";

    private readonly ServerOption _server = new();
    private readonly Option<string?> _console = new(Name)
    {
        Description = "host:port of the server's console, or https://host:port, as its start line says "
            + $"(default: {Variable}, otherwise the server's host and its port + 1)",
        HelpName = "host:port",
    };

    private readonly AuthoritiesOption _authorities = new();

    public void AddTo(Command command)
    {
        _server.AddTo(command);
        command.Add(_console);
        _authorities.AddTo(command);
    }

    /// <summary>Runs a command's work on a page of the console, and says on standard error what cannot be.</summary>
    /// <param name="parsed">The command.</param>
    /// <param name="page">The page, below the console's address.</param>
    /// <param name="work">What is done with the page's address and with what asks it, which shows the token that was given.</param>
    public async Task<int> RunAsync(ParseResult parsed, string page, Func<Uri, HttpClient, Task<int>> work)
    {
        Uri address;
        HttpClient client;
        try
        {
            address = PageOf(parsed, page);
            client = Client(_authorities.Read(parsed));
        }
        catch (ArgumentException refused)
        {
            return Output.Refuse([refused.Message]);
        }

        using HttpClient http = client;
        return await work(address, http).ConfigureAwait(false);
    }

    private static HttpClient Client(X509Certificate2Collection? authorities)
    {
        SocketsHttpHandler handler = new();
        if (authorities is not null)
        {
            X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.AddRange(authorities);
            handler.SslOptions.CertificateChainPolicy = policy;
        }

        HttpClient http = new(handler);
        http.DefaultRequestHeaders.Authorization = ConsoleReader.Authorization;
        return http;
    }

    // Without a scheme it is the server's, but on loopback, where a console has no certificate unless it listens beyond: then it is given as https://host:port.
    private Uri PageOf(ParseResult parsed, string page)
    {
        string? given = parsed.GetValue(_console) ?? Environment.GetEnvironmentVariable(Variable);
        Uri server = _server.Parse(parsed).Endpoint;
        string console = string.IsNullOrWhiteSpace(given) ? Beside(server) : given;
        string full = console.Contains("://", StringComparison.Ordinal) ? console : "http://" + console;
        if (server.Scheme == "https" && full != console && Uri.TryCreate(full, UriKind.Absolute, out Uri? plain) && !plain.IsLoopback)
        {
            full = "https://" + console;
        }

        return Uri.TryCreate($"{full.TrimEnd('/')}/{page}", UriKind.Absolute, out Uri? address) && address.Scheme is "http" or "https"
            ? address
            : throw new ArgumentException($"{Name}: '{console}' is no host:port");
    }

    private static string Beside(Uri server) => string.Create(CultureInfo.InvariantCulture, $"{server.Host}:{server.Port + 1}");
}
