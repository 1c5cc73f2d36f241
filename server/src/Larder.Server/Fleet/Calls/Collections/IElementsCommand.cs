namespace Larder.Server.Fleet;

/// <summary>A call that runs as one command for all its elements, or as several commands for parts of them.</summary>
internal interface IElementsCommand
{
    /// <summary>Begins the command for some of the elements.</summary>
    void BeginPart(RemoteCommand command, scoped in ElementsPart part);
}
