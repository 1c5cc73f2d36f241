using Larder.Server;
using Larder.Server.Security;

try
{
    return args is ["token", .. string[] rest]
        ? await new TokenCommand(Console.Out, Console.Error, TimeProvider.System).RunAsync(rest).ConfigureAwait(false)
        : await new ServeCommand().RunAsync(args, ServeProcess.RunAsync).ConfigureAwait(false);
}
catch (IOException unwritten)
{
    Console.Error.WriteLine($"larder: {unwritten.Message}");
    return 1;
}
