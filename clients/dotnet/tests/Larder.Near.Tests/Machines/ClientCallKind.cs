namespace Larder.Near.Tests.Machines;

/// <summary>The kinds of calls on a client's near state.</summary>
internal enum ClientCallKind : byte
{
    Opened,
    Lost,
    Renewed,
    Find,
    Begin,
    Answered,
    Failed,
    EndedRead,
    EndedWrite,
    Flushed,
    Invalidated,
    Cleared,
    Flooded,
}
