using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>Makes the commands on one type of collection: each has the collection's key, what is its own, and a connection.</summary>
/// <param name="clients">The clients that are open.</param>
/// <param name="type">What it is called in the help.</param>
internal sealed class CollectionCommand(Clients clients, string type)
{
    /// <summary>Makes a command whole.</summary>
    /// <param name="command">Its name, description and examples.</param>
    /// <param name="work">Its call.</param>
    /// <param name="parts">Each adds arguments or options of its own, in the order in which they are typed.</param>
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

    /// <summary>What a write ends with.</summary>
    /// <param name="answer">The call's answer.</param>
    /// <param name="done">What is said where it did not fail.</param>
    public static int Finish(object answer, string done) => answer is ICacheFailure failure ? Output.Fail(failure) : Output.Say(done);

    /// <summary>What ends a command whose answer is neither of those that it waits for: a failure, or nothing there.</summary>
    public static int Without(object answer) => answer is ICacheFailure failure ? Output.Fail(failure) : Output.Missing();
}
