using System.Text;

namespace Larder.Redis;

/// <summary>Routes commands to nodes and handles their errors (FLEET-3, FLEET-8).</summary>
internal sealed class CommandRouter(StoreContext context)
{
    private const string Rejected = "Redis rejected the login of this Larder server; check the user and password in the store's URL.";

    private long _moved;
    private long _asked;
    private long _retried;

    /// <summary>Gets or sets the topology, which maps each slot to a node. Set once, before any command is sent.</summary>
    public Topology Topology { get; set; } = null!;

    /// <summary>Gets or sets the key tracking. Set once, before any command is sent.</summary>
    public KeyTracking Tracking { get; set; } = null!;

    /// <summary>Gets the commands that wait until their slot has a master.</summary>
    public WaitingCommands UnassignedCommands { get; } = new();

    public long Moved => Interlocked.Read(ref _moved);

    public long Asked => Interlocked.Read(ref _asked);

    public long Retried => Interlocked.Read(ref _retried);

    /// <summary>Sends a command for the first time.</summary>
    public void Send(RedisCommand command)
    {
        command.CheckWhole();
        if (command.Deadline != 0 && command.Deadline <= context.Now)
        {
            context.Fail(command, Timing.Expired(notExecuted: true));
            return;
        }

        Route(command);
    }

    /// <summary>Retries the commands that are due. Returns true if other commands are still waiting.</summary>
    public bool SendDue(WaitingCommands waiting, long now, List<RedisCommand> due)
    {
        bool others = waiting.TakeDue(now, due);
        foreach (RedisCommand command in due)
        {
            Route(command);
        }

        due.Clear();
        return others;
    }

    /// <summary>Moves the commands that wait for a removed node to the queue for their slot's master.</summary>
    public void AssignWaiting(RedisNode node)
    {
        List<RedisCommand> commands = [];
        node.Waiting.TakeDue(long.MaxValue, commands);
        foreach (RedisCommand command in commands)
        {
            if (!UnassignedCommands.TryAdd(command))
            {
                context.Fail(command, Overload.QueueIsFull);
            }
        }
    }

    /// <summary>Fails all waiting commands because the store is closed.</summary>
    public void FailWaiting()
    {
        List<RedisCommand> left = [];
        foreach (WaitingCommands waiting in Topology.Nodes.Select(static node => node.Waiting).Prepend(UnassignedCommands))
        {
            waiting.TakeDue(long.MaxValue, left);
        }

        foreach (RedisCommand command in left)
        {
            context.Fail(command, new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, "The store was closed."));
        }
    }

    /// <summary>Handles an error reply from the engine.</summary>
    public void OnError(RedisNode node, RedisCommand command, ReadOnlySpan<byte> text)
    {
        EngineError error = EngineError.Of(text);
        switch (error.Answer)
        {
            case ErrorAnswer.FollowMoved or ErrorAnswer.FollowAsk when Redirect.Parse(text, node.EndPoint) is { } redirect:
                Follow(node, command, redirect, error.Answer == ErrorAnswer.FollowAsk);
                break;
            case ErrorAnswer.SendScript when command.Script is not null && !command.SendsScriptText:
                command.SendsScriptText = true;
                Route(command);
                break;
            case ErrorAnswer.Retry or ErrorAnswer.RetryAndRefresh:
                OnTransientError(node, command, error.Answer, Encoding.UTF8.GetString(text));
                break;
            default:
                Fail(node, command, error, Encoding.UTF8.GetString(text));
                break;
        }
    }

    /// <summary>Handles the loss of a connection to which the command was written.</summary>
    public void OnLost(RedisNode node, RedisCommand command, bool wasHanded, Exception reason)
    {
        if (wasHanded)
        {
            if (!command.IsIdempotent || context.IsClosed)
            {
                string why = $"The connection to {node.EndPoint} was lost: {reason.Message}";
                context.Fail(command, new RedisFailure(RedisFailureKind.Ambiguous, NotExecuted: false, why));
                return;
            }

            command.MayHaveRun = true;
        }

        if (reason is RefusedException)
        {
            context.Fail(command, new RedisFailure(RedisFailureKind.Refused, NotExecuted: true, reason.Message));
            return;
        }

        command.LastErrorText = $"The connection to {node.EndPoint} failed or was lost: {reason.Message}";
        Wait(command, node);
    }

    /// <summary>Handles the end of a connection to a node. Requests a read of the slot map, because another node may have the node's slots now.</summary>
    public void OnNodeLost() => Topology.Want(null);

    private void Route(RedisCommand command)
    {
        RedisNode? asked = command.CurrentNode;
        command.CurrentNode = null;
        RedisNode? node = asked ?? command.Pinned ?? Topology.MasterFor(command.Slot);
        if (node is null)
        {
            if (Topology.IsRefused)
            {
                context.Fail(command, new RedisFailure(RedisFailureKind.Refused, NotExecuted: true, Topology.WhyNotReady ?? Rejected));
                return;
            }

            command.LastErrorText = Topology.WhyNotReady ?? "The key's slot has no master; check the cluster with CLUSTER NODES.";
            Topology.Want(null);
            Wait(command, null);
            return;
        }

        // The command must not be accessed here after the connection has taken it.
        switch (node.Send(command, asked is not null))
        {
            case SendOutcome.Taken:
                return;
            case SendOutcome.Full:
                context.Fail(command, Overload.NodeIsFull);
                return;
            default:
                OnUnreachable(node, command);
                return;
        }
    }

    private void OnUnreachable(RedisNode node, RedisCommand command)
    {
        if (node.IsRefused)
        {
            context.Fail(command, new RedisFailure(RedisFailureKind.Refused, NotExecuted: true, node.WhyNot ?? Rejected));
            return;
        }

        command.LastErrorText = $"Cannot reach {node.EndPoint}: {node.WhyNot}";
        Wait(command, node);
    }

    private void Follow(RedisNode node, RedisCommand command, Redirect redirect, bool asks)
    {
        if (command.Pinned is not null || ++command.Redirects > Redirect.Most)
        {
            context.Fail(
                command,
                new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, $"The cluster redirected the call more than {Redirect.Most} times."));
            return;
        }

        RedisNode target = Topology.NodeAt(redirect.Target);
        target.NamedAt = context.Elapsed;
        if (asks)
        {
            Interlocked.Increment(ref _asked);
            command.CurrentNode = target;
        }
        else
        {
            Interlocked.Increment(ref _moved);
            Topology.OnMoved(redirect.Slot, target, node);
        }

        TimeSpan wait = RetrySchedule.Redirected(command.Redirects, Random.Shared.NextDouble());
        if (wait == TimeSpan.Zero)
        {
            Route(command);
        }
        else
        {
            command.LastErrorText = "The slot is migrating to another node.";
            WaitFor(command, node, wait);
        }
    }

    private void OnTransientError(RedisNode node, RedisCommand command, ErrorAnswer answer, string text)
    {
        command.LastErrorText = text;
        // The redirects before this error and those after it do not form a loop, so they are counted separately.
        command.Redirects = 0;
        if (answer == ErrorAnswer.RetryAndRefresh)
        {
            Topology.Want(null);
        }

        Wait(command, node);
    }

    private void Fail(RedisNode node, RedisCommand command, EngineError error, string text)
    {
        if (error.Kind == RedisFailureKind.Refused)
        {
            node.OnRefusal(text, command.Script);
        }

        // A script may have executed some of its commands before the error.
        context.Fail(command, new RedisFailure(error.Kind, error.NotExecuted && command.Script is null, text));
    }

    private void Wait(RedisCommand command, RedisNode? node)
    {
        Interlocked.Increment(ref _retried);
        WaitFor(command, node, RetrySchedule.Retry(++command.Retries, Random.Shared.NextDouble()));
    }

    private void WaitFor(RedisCommand command, RedisNode? node, TimeSpan wait)
    {
        long now = context.Now;
        if (command.FirstTroubleAt == 0)
        {
            command.FirstTroubleAt = now;
        }

        command.DueAt = now + context.Timestamps(wait);
        long limit = command.Deadline != 0 ? command.Deadline : command.FirstTroubleAt + context.Timestamps(context.Options.RetryTime);
        if (command.DueAt >= limit || context.IsClosed || command.IsOnce)
        {
            string why = command.LastErrorText ?? "No node accepted the call before the deadline.";
            context.Fail(command, new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, why));
        }
        else if (!(node?.Waiting ?? UnassignedCommands).TryAdd(command))
        {
            context.Fail(command, Overload.QueueIsFull);
        }
        else if (context.IsClosed)
        {
            FailWaiting();
        }
        else if (node is { IsLeft: true })
        {
            AssignWaiting(node);
        }
    }
}
