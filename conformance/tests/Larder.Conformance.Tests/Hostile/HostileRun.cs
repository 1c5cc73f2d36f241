using System.Globalization;
using Larder.Conformance.Hostile;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance.Tests.Hostile;

/// <summary>Runs one agent against hostile servers, mode after mode, and describes the faults that each mode caused.</summary>
internal sealed class HostileRun(ProgramCommand command, string transport)
{
    // The deadline of calls to the good server. The first call of a process compiles code. This is slow on a busy machine, so the deadline is long.
    private const int GoodDeadlineMs = 20_000;

    /// <summary>Runs the mode of a good server and then the given modes. Returns descriptions of the faults; empty if there were none.</summary>
    public async Task<IReadOnlyList<string>> BrokenAsync(IEnumerable<HostileMode> modes)
    {
        var broken = new List<string>();
        await using AgentProcess agent = await AgentProcess.StartAsync(command, Run.Patience);
        foreach (HostileMode? mode in modes.Prepend(HostileModes.Good))
        {
            try
            {
                if (await FindAsync(agent, mode) is { } found)
                {
                    broken.Add($"{mode.Name}: {found}");
                }
            }
            catch (Exception ended) when (ended is HarnessException or TimeoutException)
            {
                // The agent crashed, or an open or close did not return, so this agent cannot be used any more.
                broken.Add($"{mode.Name}: {ended.Message}");
                break;
            }
        }

        return broken;
    }

    private async Task<string?> FindAsync(AgentProcess agent, HostileMode mode)
    {
        await using var server = new HostileServer(mode, transport == "pipeline");
        PeakMemory? memory = null;
        string[] answers;
        try
        {
            int deadlineMs = mode == HostileModes.Good ? GoodDeadlineMs : HostileCalls.DeadlineMs;
            answers = await HostileCalls.OfClientAsync(agent, server, transport, "", deadlineMs, processId => memory = new PeakMemory(processId));
        }
        catch (InvalidOperationException notOpened)
        {
            return notOpened.Message;
        }

        long grown = memory!.GrownBytes();
        if (mode == HostileModes.Good)
        {
            return answers[0] == "hit" ? null : $"a good server's hit was {answers[0]}";
        }

        return answers.Select(HostileCalls.Judge).FirstOrDefault(verdict => verdict is not null)
            ?? (server.Connections == 0 ? "nothing connected" : null)
            ?? (grown > HostileCalls.MaxBytes ? string.Create(CultureInfo.InvariantCulture, $"{grown >> 20} MB more memory") : null);
    }
}
