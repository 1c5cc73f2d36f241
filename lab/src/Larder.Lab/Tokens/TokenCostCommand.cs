using System.CommandLine;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;

namespace Larder.Lab.Tokens;

/// <summary>The command <c>larder lab tokens</c>: measures the CPU time and the throughput that authorization costs.</summary>
internal static class TokenCostCommand
{
    public static Command Create()
    {
        Option<string> pipelined = new("--pipeline") { Description = "Number of callers over the pipeline; 0 for none.", DefaultValueFactory = _ => "200" };
        Option<string> unary = new("--unary") { Description = "Number of callers over the unary transport; 0 for none.", DefaultValueFactory = _ => "50" };
        Option<int> rounds = new("--rounds") { Description = "Rounds per server, 1 to 100; medians are compared.", DefaultValueFactory = _ => 7 };
        Option<double> seconds = new("--seconds") { Description = "Measured seconds per round, 0.1 to 600.", DefaultValueFactory = _ => 1.5 };
        Option<bool> alike = new("--alike") { Description = "Run both servers without a token file, to measure how much two equal servers differ." };
        Option<FileInfo?> output = new("--output") { Description = "Also append the result as Markdown to this file." };
        Command command = new("tokens", "Compares a server that has a token file with a server that has none, in alternating rounds.")
        {
            pipelined,
            unary,
            rounds,
            seconds,
            alike,
            output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(
            () => new TokenCostOptions
            {
                Loads = [.. LoadsOf("pipeline", arguments.GetValue(pipelined)!), .. LoadsOf("unary", arguments.GetValue(unary)!)],
                Rounds = arguments.GetValue(rounds) is >= 1 and <= 100 and int turns ? turns : throw new FormatException("--rounds must be 1 to 100"),
                Seconds = arguments.GetValue(seconds) is >= 0.1 and <= 600 and double time ? time : throw new FormatException("--seconds must be 0.1 to 600"),
                AreAlike = arguments.GetValue(alike),
            },
            options => RunAsync(options, arguments.GetValue(output))));
        return command;
    }

    private static IEnumerable<(string Transport, Rung Rung)> LoadsOf(string transport, string callers) =>
        callers == "0" ? [] : Rung.ParseAll(callers, null).Select(rung => (transport, rung));

    private static async Task<int> RunAsync(TokenCostOptions options, FileInfo? output)
    {
        var report = new BenchReport(
            output,
        [
            .. ThisMachine.Fingerprint().Lines(CommandLine.Typed("--output")),
            $"- half gets, half sets of 100 bytes by the .NET client; {options.Rounds} rounds of {options.Seconds} s for each server, alternating; servers and "
                + "clients on the same machine",
            "",
            .. TokenCostRow.Head(options.AreAlike),
        ]);
        foreach ((string transport, Rung rung) in options.Loads)
        {
            await using TokenCostTestBed stand = await TokenCostTestBed.StartAsync(options, transport).ConfigureAwait(false);
            TokenCostRow row = await stand.RunAsync(transport, rung, Console.Error.WriteLine).ConfigureAwait(false);
            report.Add([row.Line()]);
        }

        report.Write();
        return 0;
    }
}
