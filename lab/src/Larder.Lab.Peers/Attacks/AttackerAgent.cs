using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// An agent without a client. <c>attacks</c> lists the attacks. <c>attackPrepare</c> and <c>attackBegin</c> have the field <c>attack</c> with the name of an
/// attack. <c>attackEnd</c> stops the attack and returns its counts.
/// </summary>
internal sealed class AttackerAgent(AttackTarget target) : IAgentClient
{
    // Together with their overhead, 240 values of 1 MB fill a store with a memory limit of 256 MB.
    private const int FillMegabytes = 240;

    private IAttack? _attack;

    /// <inheritdoc/>
    public ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public int? Connections => null;

    /// <summary>Parses an <c>open</c> request.</summary>
    public static Task<IAgentClient> OpenAsync(JsonElement request) => Task.FromResult<IAgentClient>(new AttackerAgent(AttackTarget.From(request)));

    /// <inheritdoc/>
    public JsonObject Describe() => new() { ["client"] = "attacker", ["attacks"] = AttackCatalog.ToJson() };

    /// <inheritdoc/>
    public void AddStats(JsonObject stats)
    {
    }

    /// <inheritdoc/>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        switch (op)
        {
            case "attackPrepare":
                await PrepareAsync(Named(request), cancellation).ConfigureAwait(false);
                return AgentAnswer.Result("success");
            case "attackBegin" when _attack is null:
                _attack = new AttackRun(Named(request), target);
                return AgentAnswer.Result("success");
            case "attackEnd" when Interlocked.Exchange(ref _attack, null) is { } attack:
                await attack.DisposeAsync().ConfigureAwait(false);
                JsonObject figures = attack.Figures();
                figures["result"] = "success";
                return figures;
            default:
                throw AgentException.Unsupported(op);
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _attack, null)?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static IServerAttack Named(JsonElement request) =>
        AttackCatalog.Find(request.Text("attack") ?? "") ?? throw new AgentException($"unknown attack \"{request.Text("attack")}\"");

    private async Task PrepareAsync(IServerAttack attack, CancellationToken stop)
    {
        if (attack.FillsStore)
        {
            await AttackItems.FillAsync(target, FillMegabytes, stop).ConfigureAwait(false);
        }

        await attack.PrepareAsync(target, stop).ConfigureAwait(false);
    }
}
