using System.CommandLine;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Lab.Ceiling;

/// <summary>The command <c>larder lab floor</c>: measures how much of the raw socket throughput remains once a protocol and a store are added.</summary>
internal static class FloorCommand
{
    public static Command Create()
    {
        Option<string> inFlight = new("--in-flight")
        {
            Description = "Numbers of callers, one for each step, in the format of larder bench --in-flight.",
            DefaultValueFactory = _ => "1,25,100,1000",
        };
        Option<string> transport = new("--transport")
        {
            Description = "Transport: pipeline or unary, or both comma-separated.",
            DefaultValueFactory = _ => "pipeline",
        };
        Option<int> rounds = new("--rounds") { Description = "Alternating rounds, 1 to 100; results are medians.", DefaultValueFactory = _ => 5 };
        Option<double> seconds = new("--seconds") { Description = "Measured seconds per round, 0.1 to 3,600.", DefaultValueFactory = _ => 2 };
        Option<FileInfo?> output = new("--output") { Description = "Also write the table as Markdown to this file." };
        Command command = new(
            "floor",
            "Compares the .NET client and the server with a lower bound: the same bytes between two processes without HTTP/2, gRPC or a store.")
        {
            inFlight, transport, rounds, seconds, output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(
            () => new BenchOptions
            {
                Rungs = Rung.ParseAll(arguments.GetValue(inFlight)!, null),
                Transports = [.. CommandLine.List(arguments.GetValue(transport)!).Select(one => CommandLine.OneOf(one, transport.Name, "pipeline", "unary"))],
                Peers = [Agents.Floor],
                Rounds = arguments.GetValue(rounds) is >= 1 and <= 100 and int turns ? turns : throw new FormatException("--rounds must be 1 to 100"),
                Seconds = arguments.GetValue(seconds) is >= 0.1 and <= 3600 and double time ? time : throw new FormatException(
                    "--seconds must be 0.1 to 3,600"),
            },
            options => BenchCommand.MeasureAsync(options, json: false, arguments.GetValue(output), "Throughput compared with the lower bound")));
        return command;
    }
}
