namespace Larder.Near.Tests.Worlds;

/// <summary>The kinds of messages from a server.</summary>
internal enum MessageKind : byte
{
    None,
    Tickets,
    Clear,
    Answer,
    Renewed,
    Opened,
}
