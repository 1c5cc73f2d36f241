using System.CommandLine;
using System.Globalization;
using System.Net;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>
/// The command that makes a server write its caches to its snapshot file. It sends the request to the console, and ends when the file is complete.
/// </summary>
internal static class SnapshotCommand
{
    // The console requires this header for commands. It protects against requests from other web pages, which cannot set this header.
    private const string Header = "Larder-Command";

    public static Command Create()
    {
        ConsoleOption console = new();
        ExampleCommand command = new(
            "snapshot",
            "Requests a snapshot from a server that was started with --snapshot. If the console requires a token, "
                + $"set {ConsoleReader.TokenVariable} to the admin token. If the server has no admin token, set the variable to the console's token, which the "
                + "server accepts for snapshots only on loopback",
            "larder snapshot");
        console.AddTo(command);
        command.SetAction((parsed, cancellation) =>
            console.RunAsync(parsed, "snapshot", (address, http) => WriteAsync(address, http, cancellation)));
        return command;
    }

    private static async Task<int> WriteAsync(Uri address, HttpClient http, CancellationToken cancellation)
    {
        // There is no timeout, because the duration depends on the server's disk. After Ctrl+C, the server continues to write.
        http.Timeout = Timeout.InfiniteTimeSpan;
        using HttpRequestMessage request = new(HttpMethod.Post, address);
        request.Headers.Add(Header, "snapshot");
        try
        {
            using HttpResponseMessage response = await http.SendAsync(request, cancellation).ConfigureAwait(false);
            string answer = await response.Content.ReadAsStringAsync(cancellation).ConfigureAwait(false);
            bool isDataPort = response.StatusCode == HttpStatusCode.BadRequest && answer.Contains("gRPC", StringComparison.Ordinal);
            return response.IsSuccessStatusCode
                ? Output.Say(Describe(answer))
                : Output.Fail(TerminalText.OfText($"Cannot write the snapshot: {(isDataPort ? ConsoleReader.DataPort : answer.TrimEnd())}"));
        }
        catch (Exception exception) when (exception is HttpRequestException or JsonException)
        {
            return Output.Fail($"Cannot request a snapshot from {address}: {ConsoleReader.Unreached(exception)}");
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
