using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>Reads a server's figures from its console.</summary>
internal sealed class ConsoleReader
{
    // What a server of 100,000 caches tells is some 40 MB.
    private const int MaxBytes = 64 * 1024 * 1024;

    /// <summary>Holds the console's own token, where it asks for one: not shown to other users of the machine, as an option would be.</summary>
    public const string TokenVariable = "LARDER_CONSOLE_TOKEN";

    /// <summary>What to do if the address is the data port's.</summary>
    public const string DataPort = "this is the port for data, not the console's; pass the console's address by --console. The server's start line names it.";

    private readonly HttpClient _http;

    /// <param name="http">What asks: made ready for figures here, and its maker's to dispose of.</param>
    public ConsoleReader(HttpClient http)
    {
        _http = http;
        _http.Timeout = TimeSpan.FromSeconds(5);
        _http.MaxResponseContentBufferSize = MaxBytes;
    }

    /// <summary>What a console with a token is shown; null where none was given.</summary>
    public static AuthenticationHeaderValue? Authorization =>
        Environment.GetEnvironmentVariable(TokenVariable) is { Length: > 0 } token ? new AuthenticationHeaderValue("Bearer", token) : null;

    /// <summary>The figures; null where there are none, which is said.</summary>
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

        _ = Output.Fail($"No figures from {address}: {why}");
        return null;
    }

    /// <summary>Why nothing came, in a sentence that says what to do.</summary>
    public static string Unreached(Exception exception)
    {
        string what = TerminalText.OfText((exception.InnerException ?? exception).Message.TrimEnd('.'));
        return $"{what}. The server's start line names its console: give it by --console, as https://host:port where it has a certificate, and its "
            + "authority by --ca.";
    }

    private static string Refusal(HttpStatusCode status, byte[] answer) => status switch
    {
        HttpStatusCode.Unauthorized when Authorization is null => $"the console requires a token; set {TokenVariable}.",
        HttpStatusCode.Unauthorized => $"the console does not accept the token in {TokenVariable}; set its own token, or one of the server's file of tokens "
            + "that grants read or admin for all caches (read:*).",
        HttpStatusCode.Forbidden => $"this requires the admin token in {TokenVariable}, or the console is not known by the name in the address; see larder "
            + "serve --console-name.",
        HttpStatusCode.BadRequest when answer.AsSpan().IndexOf("gRPC"u8) >= 0 => DataPort,
        _ => $"the console returned HTTP {(int)status}.",
    };
}
