using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Servers;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;
using Spectre.Console;

namespace Larder.Tuner.Quickstart;

/// <summary>
/// The command <c>larder quickstart</c>. It starts a server on free ports and shows a few sets and gets. It sets a value with the client of each language and
/// reads it with the other clients. It then runs a sweep of about 30 seconds, shows the knee, and prints suggestions for next steps.
/// </summary>
internal static class QuickstartCommand
{
    private static readonly int[] s_ladder = [1, 2, 5, 10, 25, 50, 100, 200, 500, 1000];

    public static Command Create()
    {
        var seconds = new Option<double>("--seconds") { Description = "Duration of the measurement in seconds, 5 to 600.", DefaultValueFactory = _ => 30 };
        var command = new Command("quickstart", "Starts a server, stores a few values, measures it briefly and shows next steps.") { seconds };
        command.SetAction((arguments, _) => RunAsync(Math.Clamp(arguments.GetValue(seconds), 5, 600)));
        return command;
    }

    private static async Task<int> RunAsync(double sweepSeconds)
    {
        int exitCode;
        await using (ServerProcess server = await ServerProcess.StartAsync(Programs.Larder()).ConfigureAwait(false))
        {
            AnsiConsole.MarkupLine("[bold]1. A server[/]");
            AnsiConsole.WriteLine($"   {server.StartLine}");
            AnsiConsole.MarkupLine("[bold]2. A few values[/] (the .NET client)");
            await ShowValuesAsync(server.Endpoint.Authority).ConfigureAwait(false);
            AnsiConsole.MarkupLine("[bold]3. One cache, three languages[/]");
            await using (ThreeLanguages languages = await ThreeLanguages.ConnectAsync(server.Endpoint.Authority).ConfigureAwait(false))
            {
                foreach (string line in await languages.ShowAsync().ConfigureAwait(false))
                {
                    AnsiConsole.WriteLine($"   {line}");
                }
            }

            AnsiConsole.MarkupLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"[bold]4. How fast?[/] 100-byte values, half gets, half sets; client and server share this machine; about {sweepSeconds:N0} seconds"));
            await SweepAsync(Backend.Of(server), sweepSeconds).ConfigureAwait(false);
            exitCode = await server.StopAsync().ConfigureAwait(false);
        }

        AnsiConsole.WriteLine($"The server has stopped (exit code {exitCode}).");
        ShowNext();
        return exitCode;
    }

    private static async Task ShowValuesAsync(string endpoint)
    {
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfClient("dotnet")).ConfigureAwait(false);
        await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = endpoint }).ConfigureAwait(false);
        await ShowAsync(
                agent,
                "set greeting = \"hello\", for 60 s",
                new()
                {
                    ["op"] = "set",
                    ["key"] = "greeting",
                    ["value"] = "hello",
                    ["ttlMs"] = 60_000,
                })
            .ConfigureAwait(false);
        await ShowAsync(agent, "get greeting", new() { ["op"] = "get", ["key"] = "greeting" }).ConfigureAwait(false);
        await ShowAsync(agent, "ttl of greeting", new() { ["op"] = "itemGetTtl", ["key"] = "greeting" }).ConfigureAwait(false);
        await ShowAsync(agent, "increment visits by 1", new() { ["op"] = "increment", ["key"] = "visits", ["amount"] = 1 }).ConfigureAwait(false);
        await ShowAsync(agent, "get nothing", new() { ["op"] = "get", ["key"] = "nothing" }).ConfigureAwait(false);
        await agent.RequireAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
    }

    private static async Task ShowAsync(AgentProcess agent, string what, JsonObject request)
    {
        JsonObject answer = await agent.RequireAsync(request).ConfigureAwait(false);
        JsonNode? detail = answer["value"] ?? answer["number"] ?? answer["remainingTtlMs"];
        AnsiConsole.WriteLine($"   {what,-36} → {answer["result"]}{(detail is null ? "" : $" {detail}")}{(answer["remainingTtlMs"] is null ? "" : " ms")}");
    }

    private static async Task SweepAsync(Backend server, double sweepSeconds)
    {
        double perRung = sweepSeconds / s_ladder.Length;
        var options = new BenchOptions
        {
            Rungs = [.. s_ladder.Select(callers => new Rung(callers, new Cap(CapKind.Number, callers)))],
            Seconds = perRung * 2 / 3,
            WarmupSeconds = perRung / 3,
            // A user's machine is often busy. Disturbed rows are therefore marked instead of repeated.
            RepeatDisturbed = false,
        };
        await using Contender contender = await Contender.OfClientAsync("dotnet", "auto", server).ConfigureAwait(false);
        var view = new TableView(() => new HashSet<string>(), BenchColumn.Short);
        IReadOnlyList<BenchRow> rows = [];
        await view.ShowAsync(async () => rows = await new Sweep(options, [contender], view).RunAsync().ConfigureAwait(false), BenchColumn.KneeOf)
            .ConfigureAwait(false);
        if (BenchColumn.KneeOf(rows) is { } knee)
        {
            int mostCalls = rows.MaxBy(row => row.RequestsPerSecond)!.InFlight;
            string told = KneeText.Of(knee.InFlight, knee.RequestsPerSecond, knee.P999Us, mostCalls, s_ladder[^1]);
            AnsiConsole.MarkupLine($"[bold green]{Markup.Escape(told)}[/]");
        }
    }

    private static void ShowNext()
    {
        AnsiConsole.MarkupLine("[bold]5. Next steps[/]");
        string larder = Programs.Launcher;
        AnsiConsole.WriteLine($"   {larder + " serve",-34} a server on 127.0.0.1:8080, its health and statistics on 127.0.0.1:8081");
        AnsiConsole.WriteLine($"   {larder + " set greeting hello",-34} and {larder} get greeting: the command-line client");
        AnsiConsole.WriteLine($"   {larder + " tune --client dotnet",-34} the highest rate that meets a latency target, and its concurrency limit");
        AnsiConsole.WriteLine($"   {larder + " bench --peer redis",-34} the same measurement compared with StackExchange.Redis and redis-server");
        AnsiConsole.WriteLine("   README.md                          the .NET, Python and Node clients");
    }
}
