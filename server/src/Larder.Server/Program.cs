using Larder.Server.Security;

namespace Larder.Server;

/// <summary>The commands of the server's program: <c>larder serve</c> and <c>larder token</c>.</summary>
internal static class Program
{
    public static Task<int> Main(string[] args) => RunAsync(args);

    /// <summary>
    /// Runs the command <c>token</c> if it is the first argument. Otherwise the arguments are the options of <c>larder serve</c>. Returns the exit code.
    /// </summary>
    internal static async Task<int> RunAsync(string[] args)
    {
        try
        {
            return args is ["token", .. string[] rest]
                ? await new TokenCommand(System.Console.Out, System.Console.Error, TimeProvider.System).RunAsync(rest).ConfigureAwait(false)
                : await new ServeCommand().RunAsync(args, ServeProcess.RunAsync).ConfigureAwait(false);
        }
        catch (IOException unwritten)
        {
            System.Console.Error.WriteLine($"larder: {unwritten.Message}");
            return 1;
        }
    }
}
