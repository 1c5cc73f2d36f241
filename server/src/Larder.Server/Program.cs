using Larder.Server.Configuration;
using Larder.Server.Doctor;
using Larder.Server.Security;

namespace Larder.Server;

/// <summary>The commands of the server's program: <c>larder serve</c>, <c>larder doctor</c> and <c>larder token</c>.</summary>
internal static class Program
{
    public static Task<int> Main(string[] args) => RunAsync(args);

    /// <summary>
    /// Runs the command <c>token</c> or <c>doctor</c> if it is the first argument. Otherwise the arguments are the options of <c>larder serve</c>. Returns
    /// the exit code.
    /// </summary>
    internal static async Task<int> RunAsync(string[] args)
    {
        try
        {
            TextWriter output = System.Console.Out, errors = System.Console.Error;
            return await (args switch
            {
                ["token", .. string[] rest] => new TokenCommand(output, errors, TimeProvider.System).RunAsync(rest),
                ["doctor", .. string[] rest] => new DoctorCommand(output, errors, new Machine(), TimeProvider.System).RunAsync(rest),
                _ => new ServeCommand().RunAsync(args, ServeProcess.RunAsync),
            }).ConfigureAwait(false);
        }
        catch (IOException unwritten)
        {
            System.Console.Error.WriteLine($"larder: {unwritten.Message}");
            return 1;
        }
    }
}
