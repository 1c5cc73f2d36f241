using Larder.Conformance.Hostile;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Harness.Servers;

namespace Larder.Conformance;

/// <summary>The program. Its exit code is 0 if every case passed, 1 if a case failed, or 2 if the command line is invalid.</summary>
internal static class Conformance
{
    // The maximum number of concurrent runs. Two runs can share the machine, because the agents mostly wait.
    private const int RunsSideBySide = 2;

    public static async Task<int> MainAsync(IReadOnlyList<string> arguments, TextWriter output)
    {
        if (arguments.Contains("--help"))
        {
            output.WriteLine(Options.Usage);
            return 0;
        }

        Options options;
        IReadOnlyList<Case> all;
        IReadOnlyList<ClientCall> calls;
        try
        {
            options = Options.Parse(arguments);
            all = Vectors.Load(options.VectorsFolder);
            calls = ClientCall.Load(options.VectorsFolder);
        }
        catch (Exception e) when (e is ArgumentException or InvalidDataException or DirectoryNotFoundException)
        {
            await Console.Error.WriteLineAsync(e.Message).ConfigureAwait(false);
            return 2;
        }

        if (options.HostileMinutes is { } minutes)
        {
            return await HostileProof.RunAsync(options, minutes, arguments, output).ConfigureAwait(false);
        }

        IReadOnlyList<Case> cases = [.. all.Where(options.Wants)];
        bool colour = !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("NO_COLOR") is null;
        var report = new Report(output, colour, options.Verbose);
        await using FleetProcess? store = options.Store == Options.Memory
            ? null
            : await FleetProcess.StartAsync(masters: options.Store == Options.Redis ? 1 : 3).ConfigureAwait(false);
        // The vectors also prove that these permissions are sufficient.
        await (store?.AddGatewayUserAsync() ?? Task.CompletedTask).ConfigureAwait(false);
        await using var servers = new ServerPool(options.Server, store is null ? [] : ["--store", store.RestrictedStore], options.Endpoint);
        await Parallel.ForEachAsync(
            options.Agents.SelectMany(agent => options.Transports.Select(transport => (Agent: agent, Transport: transport))),
            new ParallelOptions { MaxDegreeOfParallelism = RunsSideBySide },
            async (run, _) =>
            {
                await VectorsAsync(run.Agent, run.Transport).ConfigureAwait(false);
                if (options.WantsRule(StampedeRun.Rule))
                {
                    await new StampedeRun([run.Agent], run.Transport, servers, report).AllAsync().ConfigureAwait(false);
                }
            }).ConfigureAwait(false);
        if (options.WantsRule(StampedeRun.Rule) && options.Agents.Count > 1)
        {
            await new StampedeRun(options.Agents, options.Transports[^1], servers, report).AllAsync().ConfigureAwait(false);
        }

        report.Close();
        return report.Failed == 0 && report.Passed > 0 ? 0 : 1;

        async Task VectorsAsync(ProgramCommand command, string transport)
        {
            string run = $"{command.Name}-{transport}";
            try
            {
                await using AgentProcess agent = await AgentProcess.StartAsync(command, Run.Patience).ConfigureAwait(false);
                await new Run(agent, run, transport, servers, report).AllAsync(cases).ConfigureAwait(false);
                if (options.WantsRule(AccessRun.Rule))
                {
                    await new AccessRun(agent, run, transport, servers, report).AllAsync(calls, all).ConfigureAwait(false);
                }
            }
            catch (HarnessException e)
            {
                foreach (Case vector in cases)
                {
                    report.Fail(run, vector, e.Message);
                }
            }
        }
    }
}
