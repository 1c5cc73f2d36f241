namespace Larder.Near.Tests.Worlds;

/// <summary>What a server sends.</summary>
internal enum MessageKind : byte
{
    None,
    Tickets,
    Clear,
    Answer,
    Renewed,
    Opened,
}
