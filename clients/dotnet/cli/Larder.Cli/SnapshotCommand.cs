using System.CommandLine;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>The command that has a server write its caches to its file, by its console port; it answers when they are written.</summary>
internal static class SnapshotCommand
{
    // The console takes no command without it: a web page cannot set it.
    private const string Header = "Larder-Command";

    // The console's own token, where it asks for one: not shown to other users of the machine, as an option would be.
    private const string TokenVariable = "LARDER_CONSOLE_TOKEN";

    public static Command Create()
    {
        Option<string> console = new("--console")
        {
            Description = "host:port of the server's console, as its start line says; not the data port",
            DefaultValueFactory = _ => "127.0.0.1:8081",
        };
        Command command = new(
            "snapshot",
            $"Has the server write its caches to its file (larder serve --snapshot FILE) now, while it serves; {TokenVariable} where its console has a token")
        {
            console,
        };
        command.SetAction((parsed, cancellation) => WriteAsync(parsed.GetValue(console)!, cancellation));
        return command;
    }

    private static async Task<int> WriteAsync(string console, CancellationToken cancellation)
    {
        if (!Uri.TryCreate($"http://{console}/snapshot", UriKind.Absolute, out Uri? address))
        {
            return Output.Refuse([$"--console: '{console}' is no host:port."]);
        }

        // As long as the server's disk takes; Ctrl+C leaves the server writing.
        using HttpClient http = new() { Timeout = Timeout.InfiniteTimeSpan };
        using HttpRequestMessage request = new(HttpMethod.Post, address);
        request.Headers.Add(Header, "snapshot");
        if (Environment.GetEnvironmentVariable(TokenVariable) is { Length: > 0 } token)
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        }

        try
        {
            using HttpResponseMessage response = await http.SendAsync(request, cancellation).ConfigureAwait(false);
            string answer = await response.Content.ReadAsStringAsync(cancellation).ConfigureAwait(false);
            return response.IsSuccessStatusCode ? Output.Say(Describe(answer)) : Output.Fail($"No snapshot: {answer.TrimEnd()}");
        }
        catch (Exception exception) when (exception is HttpRequestException or JsonException)
        {
            return Output.Fail($"No snapshot by {address}: {exception.Message}. The server's start line names its console: give it by --console.");
        }
    }

    private static string Describe(string answer)
    {
        using JsonDocument written = JsonDocument.Parse(answer);
        long entries = written.RootElement.GetProperty("lastEntries").GetInt64();
        long bytes = written.RootElement.GetProperty("lastBytes").GetInt64();
        double seconds = written.RootElement.GetProperty("lastSeconds").GetDouble();
        return string.Create(CultureInfo.InvariantCulture, $"{entries} entries, {bytes} bytes, in {seconds:F3} s");
    }
}
