namespace Larder.Server.Fleet;

/// <summary>A call that can be carried out by one command for all its elements, or by several for parts of them.</summary>
internal interface IElementsCommand
{
    /// <summary>Begins the command for some elements.</summary>
    void BeginPart(RemoteCommand command, scoped in ElementsPart part);
}
