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

            why = Refusal(response.StatusCode);
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

    private static string Refusal(HttpStatusCode status) => status switch
    {
        HttpStatusCode.Unauthorized => $"it asks for its token: {TokenVariable}.",
        HttpStatusCode.Forbidden => $"this needs the admin token, in {TokenVariable}, or the console does not know the name that it was asked by.",
        _ => $"it answered {(int)status}.",
    };
}
