using System.CommandLine;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>The command that prints the server's own figures, from its console port.</summary>
internal static class StatsCommand
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    public static Command Create()
    {
        Option<string> console = new("--console")
        {
            Description = "host:port of the server's console, as its start line says; not the data port",
            DefaultValueFactory = _ => "127.0.0.1:8081",
        };
        Command command = new("stats", "Prints the server's statistics as JSON") { console };
        command.SetAction((parsed, cancellation) => PrintAsync(parsed.GetValue(console)!, cancellation));
        return command;
    }

    private static async Task<int> PrintAsync(string console, CancellationToken cancellation)
    {
        if (!Uri.TryCreate($"http://{console}/stats", UriKind.Absolute, out Uri? address))
        {
            return Output.Refuse([$"--console: '{console}' is no host:port."]);
        }

        using HttpClient http = new() { Timeout = TimeSpan.FromSeconds(5) };
        try
        {
            using JsonDocument stats = JsonDocument.Parse(await http.GetStringAsync(address, cancellation).ConfigureAwait(false));
            return Output.Say(JsonSerializer.Serialize(stats.RootElement, Indented));
        }
        catch (Exception exception) when (exception is HttpRequestException or TaskCanceledException or JsonException)
        {
            return Output.Fail($"No statistics from {address}: {exception.Message}. The server's start line names its console: give it by --console.");
        }
    }
}
