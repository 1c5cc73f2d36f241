using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Cli;

/// <summary>
/// The option for the address of a server's console. By default, the port is the server's data port plus 1, as in the defaults of the server.
/// </summary>
internal sealed class ConsoleOption
{
    public const string Variable = "LARDER_CONSOLE";

    private const string Name = "--console";

    private readonly ServerOption _server = new();
    private readonly Option<string?> _console = new(Name)
    {
        Description = "Address of the server's console, host:port or https://host:port, as shown in the server's start line "
            + $"(default: {Variable}, otherwise the server's host and the data port + 1)",
        HelpName = "host:port",
    };

    private readonly AuthoritiesOption _authorities = new();

    public void AddTo(Command command)
    {
        _server.AddTo(command);
        command.Add(_console);
        _authorities.AddTo(command);
    }

    /// <summary>Runs a command's work on a page of the console, and returns the exit code. Prints errors to standard error.</summary>
    /// <param name="parsed">The parsed command.</param>
    /// <param name="page">The page's path below the console's address.</param>
    /// <param name="work">The work of the command. It is called with the page's address and an HTTP client that sends the console's token.</param>
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

    // Returns the address of a page. An address without a scheme gets the scheme of the server, except if it is a loopback address. A console on a loopback
    // address uses TLS only if it also listens on other addresses. In that case the user must specify https://host:port.
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
            : throw new ArgumentException($"{Name} must be host:port or https://host:port, but is '{console}'");
    }

    private static string Beside(Uri server) => string.Create(CultureInfo.InvariantCulture, $"{server.Host}:{server.Port + 1}");
}
