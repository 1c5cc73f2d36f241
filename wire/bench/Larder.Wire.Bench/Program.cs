// Compares unary calls through Larder's channel with a plain HttpClient call per request. The rounds alternate between both. The server runs in a separate
// process. For a comparison with Grpc.Net.Client, use ./larder bench --transport unary --peer grpc-dotnet.
// Usage: dotnet run -c Release --project wire/bench/Larder.Wire.Bench -- [--in-flight 25,100] [--rounds 5] [--seconds 4]
using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Harness.Processes;
using Larder.Wire.Bench;

if (args is ["serve"])
{
    await BenchServer.RunAsync();
    return;
}

int[] inFlight = [.. Option("--in-flight", "25,100").Split(',').Select(text => int.Parse(text, CultureInfo.InvariantCulture))];
int rounds = int.Parse(Option("--rounds", "5"), CultureInfo.InvariantCulture);
TimeSpan length = TimeSpan.FromSeconds(double.Parse(Option("--seconds", "4"), CultureInfo.InvariantCulture));
await using var server = ChildProcess.Start(ProgramCommand.Dotnet("the server", typeof(BenchServer).Assembly.Location, "serve"));
Uri endpoint = new((await server.ReadyAsync(new Regex("^http.*$"))).Value);
foreach (int callers in inFlight)
{
    await Comparison.RunAsync(server, endpoint, callers, rounds, length);
}

string Option(string name, string fallback)
{
    int at = Array.IndexOf(args, name);
    return at >= 0 && at + 1 < args.Length ? args[at + 1] : fallback;
}
