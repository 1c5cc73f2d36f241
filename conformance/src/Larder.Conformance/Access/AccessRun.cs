using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Servers;

namespace Larder.Conformance;

/// <summary>Runs <see cref="AccessMatrix"/> through one agent over one transport. Reports a verdict for each call of the table of operations.</summary>
internal sealed class AccessRun(AgentProcess agent, string run, string transport, ServerPool servers, Report report)
{
    /// <summary>The rule under which the verdicts are reported.</summary>
    public const string Rule = "AUTH-9";

    // The maximum number of faults reported per call. This is enough to find the cause.
    private const int MaxReportedFaults = 3;

    /// <summary>Runs all checks. The requests are taken from <paramref name="cases"/>, which must contain all cases of the vectors.</summary>
    public async Task AllAsync(IReadOnlyList<ClientCall> calls, IReadOnlyList<Case> cases)
    {
        var asked = calls.Select(call => (Call: call, Request: AccessRequest.Of(call.Op, cases))).ToList();
        foreach ((ClientCall call, _) in asked.Where(static each => each.Request is null))
        {
            report.Fail(run, Verdict(call.Op), "no test vector contains a request for this call; add one");
        }

        if (!servers.CanStart)
        {
            report.Skip(run, Verdict("every call"), "this check must start its own server with a token file; run it without --endpoint");
            return;
        }

        var known = asked.Where(static each => each.Request is not null).Select(static each => (each.Call, each.Request!)).ToList();
        try
        {
            IReadOnlyDictionary<string, List<string>> faults = await AskAsync(known).ConfigureAwait(false);
            foreach ((string op, List<string> found) in faults)
            {
                Judge(op, found);
            }
        }
        catch (HarnessException e)
        {
            report.Fail(run, Verdict("every call"), e.Message);
        }
    }

    private async Task<IReadOnlyDictionary<string, List<string>>> AskAsync(IReadOnlyList<(ClientCall Call, AccessRequest Request)> calls)
    {
        using AccessFile file = new();
        AccessMatrix.WriteFile(file, run);
        await using ServerProcess server = await servers.StartAsync(["--tokens", file.FilePath]).ConfigureAwait(false);
        JsonObject open = new() { ["endpoint"] = server.Endpoint.Authority, ["channels"] = 1, ["requestTimeoutMs"] = 20_000 };
        TransportMode.Set(open, transport);
        return await new AccessMatrix(agent, open, file, run, calls).AskAsync().ConfigureAwait(false);
    }

    private void Judge(string op, List<string> faults)
    {
        if (faults.Count == 0)
        {
            report.Pass(run, Verdict(op));
        }
        else
        {
            string more = faults.Count > MaxReportedFaults ? $" and {faults.Count - MaxReportedFaults} more" : "";
            report.Fail(run, Verdict(op), string.Join("; ", faults.Take(MaxReportedFaults)) + more);
        }
    }

    private static Case Verdict(string op) => new("auth", Rule, $"{op} is permitted or rejected as specified for every role, cache and key prefix", [], [], []);
}
