using System.Net.Http.Headers;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>Reads a server's figures from its console.</summary>
internal sealed class ConsoleReader : IDisposable
{
    // What a server of 100,000 caches tells is some 40 MB.
    private const int MaxBytes = 64 * 1024 * 1024;

    /// <summary>Holds the console's own token, where it asks for one: not shown to other users of the machine, as an option would be.</summary>
    public const string TokenVariable = "LARDER_CONSOLE_TOKEN";

    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(5), MaxResponseContentBufferSize = MaxBytes };

    public ConsoleReader() => _http.DefaultRequestHeaders.Authorization = Authorization;

    /// <summary>What a console with a token is shown; null where none was given.</summary>
    public static AuthenticationHeaderValue? Authorization =>
        Environment.GetEnvironmentVariable(TokenVariable) is { Length: > 0 } token ? new AuthenticationHeaderValue("Bearer", token) : null;

    /// <summary>The figures; null where there are none, which is said.</summary>
    public async Task<JsonDocument?> TryReadAsync(Uri address, CancellationToken cancellation)
    {
        try
        {
            return JsonDocument.Parse(await _http.GetByteArrayAsync(address, cancellation).ConfigureAwait(false));
        }
        catch (Exception exception)
            when (exception is HttpRequestException or JsonException || (exception is TaskCanceledException && !cancellation.IsCancellationRequested))
        {
            _ = Output.Fail(
                $"No statistics from {address}: {TerminalText.OfText(exception.Message)}. The server's start line names its console: give it by --console.");
            return null;
        }
    }

    public void Dispose() => _http.Dispose();
}
