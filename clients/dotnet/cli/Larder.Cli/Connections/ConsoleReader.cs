using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>Reads a server's statistics from its console.</summary>
internal sealed class ConsoleReader
{
    // The maximum size of a response. The statistics of a server with 100,000 caches have about 40 MB.
    private const int MaxBytes = 64 * 1024 * 1024;

    /// <summary>
    /// The name of the environment variable with the console's token, which is needed if the console requires a token. Unlike an option, a variable is not
    /// visible to other users of the machine.
    /// </summary>
    public const string TokenVariable = "LARDER_CONSOLE_TOKEN";

    /// <summary>The advice that is printed if the address is the address of the data port.</summary>
    public const string DataPort = "this is the data port; pass the address of the console with --console. The server's start line shows it.";

    private readonly HttpClient _http;

    /// <summary>Creates a reader.</summary>
    /// <param name="http">The HTTP client, which this constructor configures. The caller must dispose it.</param>
    public ConsoleReader(HttpClient http)
    {
        _http = http;
        _http.Timeout = TimeSpan.FromSeconds(5);
        _http.MaxResponseContentBufferSize = MaxBytes;
    }

    /// <summary>Gets the authorization header for the console, or null if no token is set.</summary>
    public static AuthenticationHeaderValue? Authorization =>
        Environment.GetEnvironmentVariable(TokenVariable) is { Length: > 0 } token ? new AuthenticationHeaderValue("Bearer", token) : null;

    /// <summary>Returns the statistics, or null after printing the error.</summary>
    public async Task<JsonDocument?> TryReadAsync(Uri address, CancellationToken cancellation)
    {
        string why;
        try
        {
            using HttpResponseMessage response = await _http.GetAsync(address, cancellation).ConfigureAwait(false);
            byte[] answer = await response.Content.ReadAsByteArrayAsync(cancellation).ConfigureAwait(false);
            if (response.IsSuccessStatusCode)
            {
                return JsonDocument.Parse(answer);
            }

            why = Refusal(response.StatusCode, answer);
        }
        catch (Exception exception)
            when (exception is HttpRequestException or JsonException || (exception is TaskCanceledException && !cancellation.IsCancellationRequested))
        {
            why = Unreached(exception);
        }

        _ = Output.Fail($"Cannot read statistics from {address}: {why}");
        return null;
    }

    /// <summary>Returns a message that explains why the console is unreachable, and what the user can do.</summary>
    public static string Unreached(Exception exception)
    {
        string what = TerminalText.OfText((exception.InnerException ?? exception).Message.TrimEnd('.'));
        return $"{what}. Pass the address of the console with --console; the server's start line shows it. If the console uses TLS, pass https://host:port, "
            + "and the certificate authority with --ca.";
    }

    private static string Refusal(HttpStatusCode status, byte[] answer) => status switch
    {
        HttpStatusCode.Unauthorized when Authorization is null => $"the console requires a token; set {TokenVariable}.",
        HttpStatusCode.Unauthorized => $"the console rejected the token in {TokenVariable}; set the console's token, or a token of the server's token file "
            + "with the permission read or admin for all caches (read:*).",
        HttpStatusCode.Forbidden => $"the console denied access; set the admin token in {TokenVariable}, or allow the host name of the address with "
            + "larder serve --console-name.",
        HttpStatusCode.BadRequest when answer.AsSpan().IndexOf("gRPC"u8) >= 0 => DataPort,
        _ => $"the console returned HTTP {(int)status}.",
    };
}
