using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>
/// Builds the commands on one type of collection. Each command has an argument for the collection's key, its own arguments and options, and the options of the
/// connection.
/// </summary>
/// <param name="clients">The open clients.</param>
/// <param name="type">The type's name in the help.</param>
internal sealed class CollectionCommand(Clients clients, string type)
{
    /// <summary>Adds the common arguments and options, and the action, to a command.</summary>
    /// <param name="command">The command with its name, description and examples.</param>
    /// <param name="work">Makes the call, prints the result and returns the exit code.</param>
    /// <param name="parts">Functions that add the command's own arguments and options, in the order in which a user types them.</param>
    public ExampleCommand Build(ExampleCommand command, Func<ParseResult, CollectionCall, Task<int>> work, params Action<Command>[] parts)
    {
        KeyArgument name = new("name", $"The {type}'s key");
        name.AddTo(command);
        foreach (Action<Command> addTo in parts)
        {
            addTo(command);
        }

        Connection connection = new(clients);
        connection.AddTo(command);
        command.SetAction((parsed, cancellation) =>
            connection.RunAsync(parsed, (_, cache) => work(parsed, new CollectionCall(cache, name.Of(parsed), cancellation))));
        return command;
    }

    /// <summary>Prints the result of a write and returns the exit code.</summary>
    /// <param name="answer">The call's response.</param>
    /// <param name="done">The text to print if the call succeeded.</param>
    public static int Finish(ICacheResult answer, string done) => answer.Error is { } error ? Output.Fail(error) : Output.Say(done);

    /// <summary>Prints why a call returned no value: either the call failed, or the item does not exist. Returns the exit code.</summary>
    public static int Without(ICacheResult answer) => answer.Error is { } error ? Output.Fail(error) : Output.Missing();
}
