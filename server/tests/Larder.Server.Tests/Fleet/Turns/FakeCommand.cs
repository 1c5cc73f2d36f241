using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet.Turns;

/// <summary>A command that waits for a turn.</summary>
internal sealed class FakeCommand(object owner, string name, Effort effort = Effort.Heavy) : IQueuedCommand
{
    public string Name => name;

    public Effort Effort => effort;

    public object Owner => owner;

    public bool IsGone { get; set; }

    public bool IsContinued { get; init; }

    public long EndsAt { get; init; } = long.MaxValue;

    public int EncodedBytes { get; init; } = 100;
}
