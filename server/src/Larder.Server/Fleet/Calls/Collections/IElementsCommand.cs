namespace Larder.Server.Fleet;

/// <summary>A call that runs as one command for all its elements, or as several commands, each for a part of the elements.</summary>
internal interface IElementsCommand
{
    /// <summary>Begins the command for the given elements.</summary>
    void BeginPart(RemoteCommand command, scoped in ElementsPart part);
}
